package dev.grpcloop.boot.metrics;

import java.util.EnumSet;
import java.util.Set;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.ReasonNames;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;

/**
 * Connections: how they begin and end, and what clients do wrong on them. Every value of
 * a tag is there from the start: a counter that comes with the first event hides it.
 */
final class ConnectionMeters {

	/** What the server tells of a fault of one stream. */
	private static final Set<ErrorCode> STREAM_FAULTS = EnumSet.of(ErrorCode.PROTOCOL_ERROR,
			ErrorCode.FLOW_CONTROL_ERROR, ErrorCode.STREAM_CLOSED, ErrorCode.FRAME_SIZE_ERROR,
			ErrorCode.REFUSED_STREAM);

	/** What the server tells of a fault of the connection. */
	private static final Set<ErrorCode> CONNECTION_FAULTS = EnumSet.of(ErrorCode.PROTOCOL_ERROR,
			ErrorCode.FLOW_CONTROL_ERROR, ErrorCode.STREAM_CLOSED, ErrorCode.FRAME_SIZE_ERROR,
			ErrorCode.COMPRESSION_ERROR);

	private ConnectionMeters() {
	}

	static void register(Registration meters) {
		meters.gauge("grpc.engine.connections.active", "Connections that are open",
				(sources) -> sources.loops(LoopStatistics::connections));
		meters.counter("grpc.engine.connections.opened", "Connections that were accepted",
				(sources) -> sources.loops(LoopStatistics::connectionsOpened));
		for (CloseReason reason : CloseReason.values()) {
			meters.counter("grpc.engine.connections.closed", "Connections that have ended, by the first reason to",
					(sources) -> sources.loops((loop) -> loop.connectionsClosed(reason)), "reason",
					ReasonNames.of(reason));
		}
		meters.timer("grpc.engine.connections.handshake",
				"Time from the accept of a connection to the end of its HTTP/2 handshake",
				(sources) -> sources.loops(LoopStatistics::handshakes),
				(sources) -> sources.loops(LoopStatistics::handshakeNanos));
		for (Guard guard : Guard.values()) {
			meters.counter("grpc.engine.guard.trips",
					"Trips of the protections against peers that misbehave or are gone",
					(sources) -> sources.loops((loop) -> loop.trips(guard)), "guard", ReasonNames.of(guard));
		}
		ErrorCounters faults = new ErrorCounters("grpc.engine.protocol.faults",
				"Breaches of the rules of HTTP/2 by clients, by what they were told and what it cost them");
		faults.register(meters, STREAM_FAULTS, LoopStatistics::streamFaults, "scope", "stream");
		faults.register(meters, CONNECTION_FAULTS, LoopStatistics::connectionFaults, "scope", "connection");
	}

}
