package dev.grpcloop.boot.metrics;

import io.micrometer.core.instrument.binder.BaseUnits;
import io.netty.util.internal.PlatformDependent;

/**
 * The memory that requests and responses are in.
 */
final class MemoryMeters {

	private MemoryMeters() {
	}

	static void register(Registration meters) {
		meters.gauge("grpc.engine.buffered.bytes",
				"Bytes held for clients: requests not taken, responses not sent, connections and calls",
				BaseUnits.BYTES, (sources) -> sources.servers(ServerMeters::bufferedBytes));
		meters.gauge("grpc.engine.buffered.max", "Most bytes that may be held for clients", BaseUnits.BYTES,
				(sources) -> sources.servers(ServerMeters::maxBufferedBytes));
		if (PlatformDependent.usedDirectMemory() >= 0) {
			meters.gauge("grpc.engine.direct.used", "Direct memory that Netty has reserved, whoever uses it",
					BaseUnits.BYTES, (sources) -> PlatformDependent.usedDirectMemory());
			meters.gauge("grpc.engine.direct.max", "Most direct memory that Netty may reserve", BaseUnits.BYTES,
					(sources) -> PlatformDependent.maxDirectMemory());
		}
	}

}
