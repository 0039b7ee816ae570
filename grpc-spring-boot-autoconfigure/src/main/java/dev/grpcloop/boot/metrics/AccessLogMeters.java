package dev.grpcloop.boot.metrics;

import java.util.function.LongSupplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * What is missing in the access log.
 */
public final class AccessLogMeters implements MeterBinder {

	private final LongSupplier dropped;

	/**
	 * Creates the meters.
	 * @param dropped tells how many calls are missing; it is kept as long as a registry,
	 * and must refer to nothing else
	 */
	public AccessLogMeters(LongSupplier dropped) {
		this.dropped = dropped;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Sources sources = Sources.of(registry);
		sources.addAccessLog(this.dropped);
		new Registration(registry, sources).counter("grpc.engine.access-log.dropped",
				"Calls that are missing in the access log", Sources::missingInAccessLogs);
	}

}
