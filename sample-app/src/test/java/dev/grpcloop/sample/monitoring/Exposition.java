package dev.grpcloop.sample.monitoring;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an application exports to Prometheus.
 *
 * @param metrics by the name of the metric and of the label, the values of the label
 * @param values by the whole of what stands before it, the value
 */
record Exposition(Map<String, Map<String, Set<String>>> metrics, Map<String, Double> values) {

	private static final Pattern SERIES = Pattern.compile("([^{ ]+)(?:\\{(.*)\\})? (\\S+)");

	private static final Pattern LABEL = Pattern.compile("([a-zA-Z0-9_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

	/**
	 * Reads the text format of Prometheus.
	 * @param text the text
	 * @return what is in it
	 */
	static Exposition of(String text) {
		Exposition exposition = new Exposition(new TreeMap<>(), new TreeMap<>());
		text.lines().filter((line) -> !line.startsWith("#")).forEach(exposition::add);
		return exposition;
	}

	private void add(String line) {
		Matcher series = SERIES.matcher(line);
		if (!series.matches()) {
			throw new IllegalArgumentException("Not a series: " + line);
		}
		Map<String, Set<String>> labels = this.metrics.computeIfAbsent(series.group(1), (name) -> new TreeMap<>());
		if (series.group(2) != null) {
			Matcher label = LABEL.matcher(series.group(2));
			while (label.find()) {
				labels.computeIfAbsent(label.group(1), (name) -> new HashSet<>()).add(label.group(2));
			}
		}
		this.values.put(line.substring(0, series.start(3) - 1), Double.valueOf(series.group(3)));
	}

	/**
	 * Returns the sum of the series of a metric.
	 * @param metric the name of the metric
	 * @param label how one of the labels stands there, with its value
	 * @return the sum, 0 if there is none
	 */
	double sum(String metric, String label) {
		return this.values.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(metric + "{") && entry.getKey().contains(label))
			.mapToDouble(Map.Entry::getValue)
			.sum();
	}

}
