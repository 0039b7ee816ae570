package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.statistics.ErrorCode;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;

/**
 * Connections: how they begin and end, and what clients do wrong on them. Every value of
 * a tag is there from the start: a counter that comes with the first event hides it.
 */
final class ConnectionMeters {

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
					TagValues.of(reason));
		}
		meters.timer("grpc.engine.connections.handshake",
				"Time from the accept of a connection to the end of its HTTP/2 handshake",
				(sources) -> sources.loops(LoopStatistics::handshakes),
				(sources) -> sources.loops(LoopStatistics::handshakeNanos));
		for (Guard guard : Guard.values()) {
			meters.counter("grpc.engine.guard.trips",
					"Trips of the protections against peers that misbehave or are gone",
					(sources) -> sources.loops((loop) -> loop.trips(guard)), "guard", TagValues.of(guard));
		}
		for (ErrorCode error : ErrorCode.values()) {
			faults(meters, error);
		}
	}

	private static void faults(Registration meters, ErrorCode error) {
		String name = "grpc.engine.protocol.faults";
		String description = "Breaches of the rules of HTTP/2 by clients, by what they were told and what it cost them";
		meters.counter(name, description, (sources) -> sources.loops((loop) -> loop.streamFaults(error)), "error",
				error.name(), "scope", "stream");
		meters.counter(name, description, (sources) -> sources.loops((loop) -> loop.connectionFaults(error)), "error",
				error.name(), "scope", "connection");
	}

}
