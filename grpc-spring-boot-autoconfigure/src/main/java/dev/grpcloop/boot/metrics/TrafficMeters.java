package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.statistics.LoopStatistics;
import io.micrometer.core.instrument.binder.BaseUnits;

/**
 * What goes over the wire. Not a summary of each flush, which an idle server makes for
 * every call: three counters, whose quotients are the frames and the bytes of a flush.
 */
final class TrafficMeters {

	private TrafficMeters() {
	}

	static void register(Registration meters) {
		meters.counter("grpc.engine.bytes.received", "Bytes read from sockets, HTTP/2 framing included",
				BaseUnits.BYTES, (sources) -> sources.loops(LoopStatistics::bytesReceived));
		meters.counter("grpc.engine.bytes.sent", "Bytes handed to sockets, HTTP/2 framing included", BaseUnits.BYTES,
				(sources) -> sources.loops(LoopStatistics::bytesSent));
		meters.counter("grpc.engine.flushes", "Times that frames were handed to a socket, in one go",
				(sources) -> sources.loops(LoopStatistics::flushes));
		meters.counter("grpc.engine.flushes.frames", "Frames that were handed to sockets",
				(sources) -> sources.loops(LoopStatistics::framesSent));
	}

}
