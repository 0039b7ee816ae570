package dev.grpcloop.boot.metrics;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.MethodStatistics;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * {@code grpc.server.active} for Prometheus. A custom meter would be exported under names
 * that no long task timer has. A timer of functions and a gauge are exported as a long
 * task timer is: the summary {@code grpc_server_active_seconds}, with {@code _count} and
 * {@code _sum}, and {@code grpc_server_active_seconds_max}.
 * <p>
 * What is left of the difference: whoever asks the registry itself finds the statistics
 * {@code COUNT} and {@code TOTAL_TIME} rather than {@code ACTIVE_TASKS} and
 * {@code DURATION}, and the maximum as a meter of its own.
 */
final class PrometheusRunningCallMeter {

	private PrometheusRunningCallMeter() {
	}

	static boolean isWithin(MeterRegistry registry) {
		return (registry instanceof CompositeMeterRegistry composite)
				? composite.getRegistries().stream().anyMatch(PrometheusRunningCallMeter::isWithin)
				: registry instanceof PrometheusMeterRegistry;
	}

	static void register(MeterRegistry registry, Tags tags, MethodStatistics statistics) {
		FunctionTimer
			.builder(RunningCallMeter.NAME, statistics, MethodStatistics::active, MethodStatistics::activeNanos,
					TimeUnit.NANOSECONDS)
			.description("Running calls")
			.tags(tags)
			.register(registry);
		// the unit is within the name: Prometheus would have it at the end
		Gauge
			.builder(RunningCallMeter.NAME + ".seconds.max", statistics,
					(numbers) -> numbers.oldestNanos() / RunningCallMeter.SECOND)
			.description("Running calls")
			.tags(tags)
			.register(registry);
	}

}
