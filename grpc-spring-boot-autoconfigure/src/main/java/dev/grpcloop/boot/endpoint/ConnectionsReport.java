package dev.grpcloop.boot.endpoint;

import java.util.Map;

import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.engine.telemetry.CloseReason;

/**
 * The connections.
 *
 * @param open how many are open
 * @param opened how many were accepted
 * @param closed how many have ended, by the reason
 * @param handshakes how many HTTP/2 handshakes were completed
 */
record ConnectionsReport(long open, long opened, Map<String, Long> closed, long handshakes) {

	static ConnectionsReport of(ServerStatistics statistics) {
		Map<String, Long> closed = Reasons.count(CloseReason.class,
				(reason) -> statistics.sum((loop) -> loop.connectionsClosed(reason)));
		// in this order: what ends in between has begun before the second reading
		long opened = statistics.sum(LoopStatistics::connectionsOpened);
		long open = opened - closed.values().stream().mapToLong(Long::longValue).sum();
		return new ConnectionsReport(open, opened, closed, statistics.sum(LoopStatistics::handshakes));
	}

}
