package dev.grpcloop.boot.endpoint;

import java.util.Map;

import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.engine.telemetry.Refusal;

/**
 * The HTTP/2 streams.
 *
 * @param open how many are open
 * @param opened how many clients have opened
 * @param refused how many requests did not become calls, by the reason
 * @param stalled how many wait for flow-control credit
 * @param stallTime how long streams have waited for it, all together, in seconds
 */
record StreamsReport(long open, long opened, Map<String, Long> refused, long stalled, double stallTime) {

	static StreamsReport of(ServerStatistics statistics) {
		return new StreamsReport(statistics.sum(LoopStatistics::streams), statistics.sum(LoopStatistics::streamsOpened),
				Reasons.count(Refusal.class, (refusal) -> statistics.sum((loop) -> loop.refused(refusal))),
				statistics.sum(LoopStatistics::stalled), Seconds.of(statistics.sum(LoopStatistics::stallNanos)));
	}

}
