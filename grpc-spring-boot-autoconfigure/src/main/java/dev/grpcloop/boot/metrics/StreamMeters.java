package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.engine.telemetry.Refusal;

/**
 * Streams: how many there are, what does not become a call, what is reset and what waits.
 */
final class StreamMeters {

	private StreamMeters() {
	}

	static void register(Registration meters) {
		meters.gauge("grpc.engine.calls.active", "Calls that run",
				(sources) -> sources.calls(MethodStatistics::active));
		meters.gauge("grpc.engine.streams.active", "Streams that are open",
				(sources) -> sources.loops(LoopStatistics::streams));
		meters.counter("grpc.engine.streams.opened", "Streams that clients have opened",
				(sources) -> sources.loops(LoopStatistics::streamsOpened));
		for (Refusal refusal : Refusal.values()) {
			meters.counter("grpc.engine.streams.refused", "Streams that did not become calls",
					(sources) -> sources.loops((loop) -> loop.refused(refusal)), "reason", TagValues.of(refusal));
		}
		for (ErrorCode error : ErrorCode.values()) {
			resets(meters, error);
		}
		meters.gauge("grpc.engine.flow.stalled", "Streams that have data to send and wait for credit",
				(sources) -> sources.loops(LoopStatistics::stalled));
		meters.timer("grpc.engine.flow.stalls",
				"Time that streams with data to send have waited for credit, counted when they get it or end",
				(sources) -> sources.loops(LoopStatistics::stallsEnded),
				(sources) -> sources.loops(LoopStatistics::stallNanos));
	}

	private static void resets(Registration meters, ErrorCode error) {
		String name = "grpc.engine.streams.reset";
		String description = "RST_STREAM frames, by who sent them and why";
		meters.counter(name, description, (sources) -> sources.loops((loop) -> loop.resetsReceived(error)), "direction",
				"received", "error", error.name());
		meters.counter(name, description, (sources) -> sources.loops((loop) -> loop.resetsSent(error)), "direction",
				"sent", "error", error.name());
	}

}
