package dev.grpcloop.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results as a table: medians, their spread, and the ratios to one of the servers.
 */
final class Report {

	private static final String HEAD = "%-5s %-8s %-20s %12s %23s %8s %12s %8s %8s%n";

	private static final String ROW = "%-5s %-8s %-20s %,12.0f %23s %8s %12.2f %8s %8d%n";

	private final String baseline;

	/**
	 * A report of ratios to one server.
	 * @param baseline the server's label
	 */
	Report(String baseline) {
		this.baseline = baseline;
	}

	String format(Results results) {
		StringBuilder text = new StringBuilder();
		text.append("Medians; the ratios are to ").append(this.baseline).append(" in the same case.\n\n");
		text.append(String.format(Locale.ROOT, HEAD, "case", "load", "server", "calls/s", "min to max", "ratio",
				"CPU us/call", "ratio", "failed"));
		results.byCase().forEach((load, servers) -> appendCase(text, load, servers));
		if (results.failed() > 0) {
			text.append("\n*** ").append(results.failed()).append(" CALLS FAILED: the figures above are void ***\n");
		}
		return text.toString();
	}

	private void appendCase(StringBuilder text, LoadCase load, Map<String, List<Measurement>> servers) {
		Measurement base = Measurement.median(servers.get(this.baseline));
		servers.forEach((server, measurements) -> {
			Measurement median = Measurement.median(measurements);
			text.append(String.format(Locale.ROOT, ROW, load.id(), load.shape(), server, median.callsPerSecond(),
					spread(measurements), ratio(median.callsPerSecond(), base.callsPerSecond()),
					median.cpuMicrosPerCall(), ratio(median.cpuMicrosPerCall(), base.cpuMicrosPerCall()),
					median.failed()));
		});
	}

	private static String spread(List<Measurement> measurements) {
		double least = measurements.stream().mapToDouble(Measurement::callsPerSecond).min().orElseThrow();
		double most = measurements.stream().mapToDouble(Measurement::callsPerSecond).max().orElseThrow();
		return String.format(Locale.ROOT, "%,.0f to %,.0f", least, most);
	}

	private static String ratio(double figure, double base) {
		return String.format(Locale.ROOT, "%.2f", figure / base);
	}

}
