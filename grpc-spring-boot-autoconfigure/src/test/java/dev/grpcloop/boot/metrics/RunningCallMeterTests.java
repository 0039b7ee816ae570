package dev.grpcloop.boot.metrics;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.AllMeters;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunningCallMeter} and {@link PrometheusRunningCallMeter}.
 */
class RunningCallMeterTests {

	private static final Tags TAGS = Tags.of("rpc.service", "test.v1.Greeter", "rpc.method", "Hello", "rpc.type",
			"UNARY", "grpc.status_code", "UNKNOWN");

	private final SimpleMeterRegistry simple = new SimpleMeterRegistry();

	private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	@Test
	void itMeasuresWhatALongTaskTimerMeasures() {
		MethodTelemetry hello = hello(this.simple);
		LongTaskTimer model = LongTaskTimer.builder("model").tags(TAGS).register(this.simple);
		Meter meter = this.simple.get(RunningCallMeter.NAME).meter();
		assertThat(statistics(meter)).isEqualTo(statistics(model));
		assertThat(meter.getId().getTags()).isEqualTo(model.getId().getTags());
		assertThat(meter.getId().getType()).isEqualTo(model.getId().getType());
		assertThat(meter.getId().getBaseUnit()).isEqualTo(model.getId().getBaseUnit());
		long old = start(hello, 3_000_000_000L);
		long young = start(hello, 1_000_000_000L);
		assertThat(values(meter).get(Statistic.ACTIVE_TASKS)).isEqualTo(2);
		assertThat(values(meter).get(Statistic.MAX)).isBetween(3.0, 60.0);
		assertThat(values(meter).get(Statistic.DURATION)).isBetween(4.0, 120.0);
		hello.callClosed(Status.OK, old, 1, true);
		assertThat(values(meter).get(Statistic.MAX)).isBetween(1.0, 2.9);
		hello.callClosed(Status.OK, young, 1, true);
		assertThat(values(meter).values()).containsOnly(0.0);
	}

	@Test
	void prometheusGetsTheTextOfALongTaskTimer() {
		PrometheusMeterRegistry others = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		LongTaskTimer model = LongTaskTimer.builder(RunningCallMeter.NAME)
			.description("Running calls")
			.tags(TAGS)
			.register(others);
		MethodTelemetry hello = hello(this.prometheus);
		assertThat(text(this.prometheus)).isEqualTo(text(others)).hasSizeGreaterThan(6);
		List<Long> arrivals = List.of(start(hello, 2_000_000_000L), start(hello, 1_000_000_000L));
		List<LongTaskTimer.Sample> samples = List.of(model.start(), model.start());
		// of the times only whether there are any
		assertThat(text(this.prometheus)).isEqualTo(text(others))
			.anyMatch((line) -> line.startsWith("grpc_server_active_seconds_count{") && line.endsWith("} 2"))
			.anyMatch((line) -> line.startsWith("grpc_server_active_seconds_max{") && line.endsWith("} some"));
		arrivals.forEach((arrival) -> hello.callClosed(Status.OK, arrival, 1, true));
		samples.forEach(LongTaskTimer.Sample::stop);
		assertThat(text(this.prometheus)).isEqualTo(text(others)).noneMatch((line) -> line.endsWith("some"));
	}

	@Test
	void aCompositeGivesEachOfItsRegistriesItsForm() {
		MethodTelemetry hello = hello(
				new CompositeMeterRegistry().add(this.simple).add(new CompositeMeterRegistry().add(this.prometheus)));
		start(hello, 0);
		assertThat(values(this.simple.get(RunningCallMeter.NAME).meter()).get(Statistic.ACTIVE_TASKS)).isEqualTo(1);
		assertThat(text(this.prometheus))
			.anyMatch((line) -> line.startsWith("grpc_server_active_seconds_count{") && line.endsWith("} 1"))
			.noneMatch((line) -> line.contains("statistic="));
	}

	@Test
	void filtersRenameAndDenyIt() {
		this.prometheus.config().commonTags("zone", "a");
		this.simple.config().meterFilter(MeterFilter.denyNameStartsWith(RunningCallMeter.NAME));
		hello(new CompositeMeterRegistry().add(this.simple).add(this.prometheus));
		assertThat(this.simple.find(RunningCallMeter.NAME).meters()).isEmpty();
		assertThat(text(this.prometheus)).filteredOn((line) -> !line.startsWith("#"))
			.hasSize(3)
			.allMatch((line) -> line.contains("zone=\"a\""));
	}

	@Test
	void noMeterIsRegisteredTwice() {
		Logger logger = (Logger) LoggerFactory.getLogger(MeterRegistry.class);
		ListAppender<ILoggingEvent> messages = new ListAppender<>();
		messages.start();
		logger.addAppender(messages);
		// Micrometer warns once only, then it says it as DEBUG
		logger.setLevel(Level.DEBUG);
		try {
			new AllMeters();
			hello(this.prometheus);
			hello(new CompositeMeterRegistry().add(this.simple)
				.add(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)));
		}
		finally {
			logger.setLevel(null);
			logger.detachAppender(messages);
		}
		assertThat(messages.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
	}

	private static MethodTelemetry hello(MeterRegistry registry) {
		return new ServerStatistics(new CallMetersFactory(registry, true)).loop(0).method(GreeterGrpc.getHelloMethod());
	}

	private static long start(MethodTelemetry method, long nanosAgo) {
		long arrival = System.nanoTime() - nanosAgo;
		method.callStarted(arrival);
		return arrival;
	}

	private static List<Statistic> statistics(Meter meter) {
		return StreamSupport.stream(meter.measure().spliterator(), false).map(Measurement::getStatistic).toList();
	}

	private static Map<Statistic, Double> values(Meter meter) {
		return StreamSupport.stream(meter.measure().spliterator(), false)
			.collect(Collectors.toMap(Measurement::getStatistic, Measurement::getValue));
	}

	private static List<String> text(PrometheusMeterRegistry registry) {
		return registry.scrape()
			.lines()
			.filter((line) -> line.contains("grpc_server_active"))
			.map((line) -> line.replaceFirst("((_sum|_max)\\{.*}) (?!0\\.0$).*", "$1 some"))
			.toList();
	}

}
