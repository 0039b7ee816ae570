package dev.grpcloop.boot.metrics;

import java.util.EnumSet;
import java.util.Set;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ReasonNames;
import dev.grpcloop.engine.telemetry.Refusal;

/**
 * Streams: how many there are, what does not become a call, what is reset and what waits.
 */
final class StreamMeters {

	/** What clients say. */
	private static final Set<ErrorCode> RECEIVED = EnumSet.of(ErrorCode.NO_ERROR, ErrorCode.PROTOCOL_ERROR,
			ErrorCode.INTERNAL_ERROR, ErrorCode.REFUSED_STREAM, ErrorCode.CANCEL);

	/** What the server says: the end of a call, or a fault of a stream. */
	private static final Set<ErrorCode> SENT = EnumSet.of(ErrorCode.NO_ERROR, ErrorCode.PROTOCOL_ERROR,
			ErrorCode.FLOW_CONTROL_ERROR, ErrorCode.STREAM_CLOSED, ErrorCode.FRAME_SIZE_ERROR, ErrorCode.REFUSED_STREAM,
			ErrorCode.CANCEL);

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
					(sources) -> sources.loops((loop) -> loop.refused(refusal)), "reason", ReasonNames.of(refusal));
		}
		ErrorCounters resets = new ErrorCounters("grpc.engine.streams.reset",
				"RST_STREAM frames, by who sent them and why");
		resets.register(meters, RECEIVED, LoopStatistics::resetsReceived, "direction", "received");
		resets.register(meters, SENT, LoopStatistics::resetsSent, "direction", "sent");
		meters.gauge("grpc.engine.flow.stalled", "Streams that have data to send and wait for credit",
				(sources) -> sources.loops(LoopStatistics::stalled));
		meters.timer("grpc.engine.flow.stalls",
				"Time that streams with data to send have waited for credit, counted when they get it or end",
				(sources) -> sources.loops(LoopStatistics::stallsEnded),
				(sources) -> sources.loops(LoopStatistics::stallNanos));
	}

}
