package dev.grpcloop.boot.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters that read the {@link Sources} of a registry. A meter that is there
 * already stays as it is: it reads the same.
 *
 * @param registry where the meters are
 * @param sources what they read
 */
record Registration(MeterRegistry registry, Sources sources) {

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	void counter(String name, String description, ToDoubleFunction<Sources> number, String... tags) {
		counter(name, description, null, number, tags);
	}

	void counter(String name, String description, @Nullable String unit, ToDoubleFunction<Sources> number,
			String... tags) {
		if (isNew(name, tags)) {
			FunctionCounter.builder(name, this.sources, number)
				.description(description)
				.baseUnit(unit)
				.tags(tags)
				.register(this.registry);
		}
	}

	void seconds(String name, String description, ToLongFunction<Sources> nanos, String... tags) {
		counter(name, description, "seconds", (sources) -> nanos.applyAsLong(sources) / NANOS_PER_SECOND, tags);
	}

	void timer(String name, String description, ToLongFunction<Sources> count, ToDoubleFunction<Sources> nanos,
			String... tags) {
		if (isNew(name, tags)) {
			FunctionTimer.builder(name, this.sources, count, nanos, TimeUnit.NANOSECONDS)
				.description(description)
				.tags(tags)
				.register(this.registry);
		}
	}

	void gauge(String name, String description, ToDoubleFunction<Sources> number, String... tags) {
		gauge(name, description, null, number, tags);
	}

	void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<Sources> number,
			String... tags) {
		if (isNew(name, tags)) {
			Gauge.builder(name, this.sources, number)
				.description(description)
				.baseUnit(unit)
				.tags(tags)
				.register(this.registry);
		}
	}

	void timeGauge(String name, String description, ToDoubleFunction<Sources> nanos, String... tags) {
		if (isNew(name, tags)) {
			TimeGauge.builder(name, this.sources, TimeUnit.NANOSECONDS, nanos)
				.description(description)
				.tags(tags)
				.register(this.registry);
		}
	}

	/** Micrometer warns of a meter that is registered twice. */
	private boolean isNew(String name, String... tags) {
		return this.registry.find(name).tags(Tags.of(tags)).meter() == null;
	}

}
