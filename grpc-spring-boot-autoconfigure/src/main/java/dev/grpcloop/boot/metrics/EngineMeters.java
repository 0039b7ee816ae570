package dev.grpcloop.boot.metrics;

import java.util.Locale;
import java.util.function.ToLongFunction;

import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.engine.telemetry.Guard;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The engine's numbers as meters {@code grpc.engine.*}.
 */
public final class EngineMeters implements MeterBinder {

	private final ServerStatistics statistics;

	/**
	 * Creates the meters.
	 * @param statistics the numbers
	 */
	public EngineMeters(ServerStatistics statistics) {
		this.statistics = statistics;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bytes(registry, "grpc.engine.bytes.received", "Bytes read from sockets, HTTP/2 framing included",
				LoopStatistics::bytesReceived);
		bytes(registry, "grpc.engine.bytes.sent", "Bytes handed to sockets, HTTP/2 framing included",
				LoopStatistics::bytesSent);
		Gauge
			.builder("grpc.engine.connections.active", this.statistics,
					(statistics) -> statistics.sum(LoopStatistics::connections))
			.description("Open connections")
			.register(registry);
		Gauge
			.builder("grpc.engine.calls.active", this.statistics,
					(statistics) -> statistics.methods().stream().mapToLong(MethodStatistics::active).sum())
			.description("Running calls")
			.register(registry);
		for (Guard guard : Guard.values()) {
			trips(registry, guard);
		}
	}

	private void bytes(MeterRegistry registry, String name, String description, ToLongFunction<LoopStatistics> number) {
		FunctionCounter.builder(name, this.statistics, (statistics) -> statistics.sum(number))
			.description(description)
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
	}

	/** All from the start: a counter that comes with its first trip hides that trip. */
	private void trips(MeterRegistry registry, Guard guard) {
		FunctionCounter
			.builder("grpc.engine.guard.trips", this.statistics,
					(statistics) -> statistics.sum((loop) -> loop.trips(guard)))
			.description("Trips of the protections against peers that misbehave or are gone")
			.tag("guard", guard.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.register(registry);
	}

}
