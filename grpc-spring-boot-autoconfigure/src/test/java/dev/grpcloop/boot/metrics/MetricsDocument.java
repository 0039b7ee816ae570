package dev.grpcloop.boot.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.AllMeters;

/**
 * What {@code docs/metrics.md} has to say. All but the last cell of a row about a meter
 * comes from the meter, and so do the values of the tags; the rest is written by hand.
 */
final class MetricsDocument {

	private static final String METERS = "| meter |";

	private static final String TAGS = "| tag |";

	/** Values that depend on the application or the machine. */
	private static final Map<String, String> OPEN = Map.ofEntries( //
			Map.entry("rpc.service", "full names of services; `UNKNOWN` for methods that the server does not know"), //
			Map.entry("rpc.method", "names of methods; `UNKNOWN` for those that the server does not know"), //
			Map.entry("rpc.type", "`UNARY`, `SERVER_STREAMING`, `CLIENT_STREAMING`, `BIDI_STREAMING`, `UNKNOWN`"), //
			Map.entry("grpc.status_code", "the names of the status codes of gRPC"), //
			Map.entry("loop", "indexes of the event loops, from `0`"), //
			Map.entry("id", "a number that stands for the allocator"), //
			Map.entry("allocator.type",
					"the class of the allocator, `AdaptiveByteBufAllocator` unless Netty is told otherwise"), //
			Map.entry("grpc.method", "full names of methods; `other` for those that the server does not know"), //
			Map.entry("grpc.status", "the names of the status codes of gRPC"), //
			Map.entry("service", "full names of services"), //
			Map.entry("method", "names of methods"), //
			Map.entry("methodType", "`UNARY`, `SERVER_STREAMING`, `CLIENT_STREAMING`, `BIDI_STREAMING`, `UNKNOWN`"), //
			Map.entry("statusCode", "the names of the status codes of gRPC"));

	private static final String THROWN = "simple names of exception classes; `none`";

	private final AllMeters meters = new AllMeters();

	/**
	 * Writes anew what is not written by hand.
	 * @param document the document as it is
	 * @return the document as it should be
	 */
	String update(String document) {
		List<String> lines = new ArrayList<>();
		String table = "";
		for (String line : document.split("\n", -1)) {
			if (!line.startsWith("|")) {
				table = "";
				lines.add(line);
			}
			else if (line.startsWith(METERS)) {
				table = METERS;
				lines.add(line);
			}
			else if (line.startsWith(TAGS)) {
				table = TAGS;
				lines.add(line);
				lines.add("|---|---|---|");
				lines.addAll(tagRows());
			}
			else if (table.equals(METERS) && !line.startsWith("|---")) {
				lines.add(meterRow(cells(line)));
			}
			else if (!table.equals(TAGS)) {
				lines.add(line);
			}
		}
		return String.join("\n", lines);
	}

	private String meterRow(List<String> cells) {
		String name = cells.get(0).replace("`", "");
		if (!this.meters.names().contains(name)) {
			return "| `" + name + "` | there is no such meter |";
		}
		String tags = this.meters.tags()
			.get(name)
			.stream()
			.map(MetricsDocument::code)
			.collect(Collectors.joining(", "));
		String prometheus = this.meters.prometheusNames(name)
			.stream()
			.map(MetricsDocument::code)
			.collect(Collectors.joining(", "));
		return "| " + String.join(" | ", code(name), prometheus, this.meters.kind(name), tags,
				this.meters.description(name), cells.get(cells.size() - 1)) + " |";
	}

	/** One row for all meters that have the same values. */
	private List<String> tagRows() {
		Map<String, Set<String>> meters = new TreeMap<>();
		this.meters.tags().forEach((meter, tags) -> tags.forEach((tag) -> {
			String values = values(meter, tag);
			meters.computeIfAbsent(code(tag) + "|" + values, (key) -> new TreeSet<>()).add(meter);
		}));
		List<String> rows = new ArrayList<>();
		meters.forEach((key, names) -> {
			String[] tagAndValues = key.split("\\|");
			rows.add("| " + String.join(" | ", tagAndValues[0],
					names.stream().map(MetricsDocument::code).collect(Collectors.joining(", ")), tagAndValues[1])
					+ " |");
		});
		return rows;
	}

	private String values(String meter, String tag) {
		if (meter.equals("grpc.server") && tag.equals("error")) {
			return THROWN;
		}
		String open = OPEN.get(tag);
		Stream<String> values = this.meters.values(meter, tag).stream().map(MetricsDocument::code);
		return (open != null) ? open : values.collect(Collectors.joining(", "));
	}

	private static List<String> cells(String line) {
		return Stream.of(line.substring(1).split("\\|")).map(String::trim).toList();
	}

	private static String code(String text) {
		return "`" + text + "`";
	}

}
