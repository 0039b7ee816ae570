package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.statistics.ServerStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The engine's numbers as meters {@code grpc.engine.*}. All of them read what the event
 * loops have counted when somebody asks; none asks anything of a loop, and one that a
 * filter denies costs nothing.
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
		Sources sources = Sources.of(registry);
		if (!sources.add(this.statistics)) {
			return;
		}
		Registration meters = new Registration(registry, sources);
		ConnectionMeters.register(meters);
		StreamMeters.register(meters);
		TrafficMeters.register(meters);
		ExecutorMeters.register(meters);
		this.statistics.addListener(new LoopMeters(meters));
	}

}
