package dev.grpcloop.boot.metrics;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.MethodStatistics;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

import org.springframework.util.ClassUtils;

/**
 * {@code grpc.server.active}, a long task timer of the running calls of a method. Its
 * numbers come from the {@link MethodStatistics}: Micrometer's own keeps every running
 * call in a sorted set, which costs each of them more than all other counting.
 * <p>
 * It measures what a {@link io.micrometer.core.instrument.LongTaskTimer LongTaskTimer}
 * does: active tasks, duration and maximum, the last two always in seconds. It has no
 * histogram. Prometheus is told in another way, see {@link PrometheusRunningCallMeter}.
 */
final class RunningCallMeter {

	static final String NAME = "grpc.server.active";

	private static final boolean PROMETHEUS = ClassUtils
		.isPresent("io.micrometer.prometheusmetrics.PrometheusMeterRegistry", RunningCallMeter.class.getClassLoader());

	static final double SECOND = TimeUnit.SECONDS.toNanos(1);

	private final MethodStatistics statistics;

	RunningCallMeter(MethodStatistics statistics) {
		this.statistics = statistics;
	}

	/**
	 * Registers the meter: where there is Prometheus, in each member of a composite by
	 * itself, since a composite would have all of them take the same form. A Prometheus
	 * registry that joins one later, when methods have their meters already, does not get
	 * this one, or under other names.
	 */
	void register(MeterRegistry registry, Tags tags) {
		if (!PROMETHEUS || !PrometheusRunningCallMeter.isWithin(registry)) {
			registerCustom(registry, tags);
		}
		else if (registry instanceof CompositeMeterRegistry composite) {
			composite.getRegistries().forEach((member) -> register(member, tags));
		}
		else {
			PrometheusRunningCallMeter.register(registry, tags, this.statistics);
		}
	}

	private void registerCustom(MeterRegistry registry, Tags tags) {
		Meter
			.builder(NAME, Meter.Type.LONG_TASK_TIMER,
					List.of(new Measurement(() -> (double) this.statistics.active(), Statistic.ACTIVE_TASKS),
							new Measurement(() -> this.statistics.activeNanos() / SECOND, Statistic.DURATION),
							new Measurement(() -> this.statistics.oldestNanos() / SECOND, Statistic.MAX)))
			.description("Running calls")
			.baseUnit("seconds")
			.tags(tags)
			.register(registry);
	}

}
