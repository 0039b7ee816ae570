package dev.grpcloop.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements of a run, by case and server in the order they came.
 */
final class Results {

	private final Map<LoadCase, Map<String, List<Measurement>>> measurements = new LinkedHashMap<>();

	void add(LoadCase load, String server, Measurement measurement) {
		this.measurements.computeIfAbsent(load, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(server, (key) -> new ArrayList<>())
			.add(measurement);
	}

	Map<LoadCase, Map<String, List<Measurement>>> byCase() {
		return this.measurements;
	}

	long failed() {
		return this.measurements.values()
			.stream()
			.flatMap((servers) -> servers.values().stream())
			.flatMap(List::stream)
			.mapToLong(Measurement::failed)
			.sum();
	}

}
