package dev.grpcloop.boot.endpoint;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The clients at one address.
 *
 * @param address the address, without the port
 * @param connections how many connections they have open
 */
record ClientReport(String address, long connections) {

	/** Further ones, which have fewer connections, are left out. */
	private static final int MOST = 50;

	/**
	 * Reports those with the most connections.
	 * @param addresses one for each connection
	 * @return at most 50, the one with the most connections first
	 */
	static List<ClientReport> of(List<String> addresses) {
		Map<String, Long> connections = addresses.stream()
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		return connections.entrySet()
			.stream()
			.map((entry) -> new ClientReport(entry.getKey(), entry.getValue()))
			.sorted(Comparator.comparingLong(ClientReport::connections).reversed().thenComparing(ClientReport::address))
			.limit(MOST)
			.toList();
	}

}
