package dev.grpcloop.benchmark;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One shape of load: so many clients, each with a connection of its own and so many calls
 * open on it at all times.
 *
 * @param id the short name
 * @param clients the number of connections
 * @param streams the number of open calls on each
 */
record LoadCase(String id, int clients, int streams) {

	static final List<LoadCase> ALL = List.of(new LoadCase("1a", 1, 1), new LoadCase("1b", 1, 10),
			new LoadCase("2a", 10, 1), new LoadCase("2b", 10, 10), new LoadCase("3a", 100, 1),
			new LoadCase("3b", 100, 10));

	static LoadCase of(String id) {
		return ALL.stream()
			.filter((loadCase) -> loadCase.id.equals(id))
			.findFirst()
			.orElseThrow(() -> new InvalidOptionException("There is no case '" + id + "'; there are "
					+ ALL.stream().map(LoadCase::id).collect(Collectors.joining(", "))));
	}

	String shape() {
		return this.clients + "x" + this.streams;
	}

}
