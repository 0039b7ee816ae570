package dev.grpcloop.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring Boot's properties do to the meters of calls.
 */
@Timeout(60)
class CallMeterSettingsTests {

	private static final String[] CALL_METERS = { "grpc.server", "grpc.server.active", "grpc.server.received",
			"grpc.server.sent" };

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
				ObservationAutoConfiguration.class, GrpcLoopServerAutoConfiguration.class))
		.withUserConfiguration(GreeterService.class)
		.withPropertyValues("grpc.server.port=0", "grpc.server.address=127.0.0.1", "grpc.server.workers=1");

	@ParameterizedTest
	@ValueSource(strings = { "management.metrics.enable.grpc.server=false",
			"management.observations.enable.grpc.server=false", "management.observations.enable.all=false" })
	void metersThatAreOffAreNotThere(String property) {
		this.runner.withPropertyValues(property).run((context) -> {
			makeCalls(context);
			assertThat(names(context)).noneMatch((name) -> name.startsWith("grpc.server"));
			assertThat(context.getBean(ServerStatistics.class).methods()).anyMatch((method) -> method.closed() == 2);
		});
	}

	@Test
	void aMeterThatIsOffIsNotThereAlone() {
		this.runner
			.withPropertyValues("management.metrics.enable.grpc.server=false",
					"management.metrics.enable.grpc.server.sent=true")
			.run((context) -> {
				makeCalls(context);
				assertThat(names(context)).contains("grpc.server.sent").doesNotContain("grpc.server");
			});
	}

	@Test
	void theLongTaskTimerIsIgnoredAsForObservations() {
		this.runner.withPropertyValues("management.metrics.observations.ignored-meters=long-task-timer")
			.run((context) -> {
				makeCalls(context);
				assertThat(names(context)).contains("grpc.server", "grpc.server.sent")
					.doesNotContain("grpc.server.active");
			});
	}

	@Test
	void distributionsAreThoseOfTheTimers() {
		this.runner
			.withPropertyValues("management.metrics.distribution.percentiles.grpc.server=0.5,0.99",
					"management.metrics.distribution.slo.grpc.server=10ms,1s")
			.run((context) -> {
				makeCalls(context);
				assertThat(timer(context).takeSnapshot().percentileValues()).extracting(ValueAtPercentile::percentile)
					.containsExactly(0.5, 0.99);
				assertThat(timer(context).takeSnapshot().histogramCounts()).extracting(CountAtBucket::bucket)
					.containsExactly(1e7, 1e9);
			});
		this.runner
			.withPropertyValues("management.metrics.distribution.percentiles-histogram.grpc.server=true",
					"management.metrics.distribution.minimum-expected-value.grpc.server=5ms",
					"management.metrics.distribution.maximum-expected-value.grpc.server=2s")
			.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
			.run((context) -> {
				makeCalls(context);
				CountAtBucket[] buckets = timer(context).takeSnapshot().histogramCounts();
				assertThat(buckets).hasSizeGreaterThan(20);
				assertThat(buckets[0].bucket()).isGreaterThanOrEqualTo(5e6);
				assertThat(buckets[buckets.length - 1].bucket()).isLessThanOrEqualTo(2e9);
			});
	}

	@Test
	void commonTagsAndFiltersApply() {
		this.runner.withPropertyValues("management.metrics.tags.zone=a")
			.withBean(MeterFilter.class, () -> MeterFilter.renameTag("grpc.server", "rpc.method", "call"))
			.withBean("filter", MeterFilter.class,
					() -> MeterFilter.deny((id) -> "NOT_FOUND".equals(id.getTag("grpc.status_code"))))
			.run((context) -> {
				makeCalls(context);
				makeCalls(context);
				assertThat(context.getBean(MeterRegistry.class).get("grpc.server").tags("zone", "a").timers())
					.singleElement()
					.satisfies((timer) -> {
						assertThat(timer.getId().getTag("call")).isEqualTo("Hello");
						assertThat(timer.count()).isEqualTo(2);
					});
			});
	}

	/** Of which those win that come last: a method's name can be another's. */
	@Test
	void keyValuesOfObservationsAreTagsOfTheSameMeters() {
		ApplicationContextRunner runner = this.runner.withPropertyValues("management.observations.key-values.zone=a",
				"management.observations.key-values.rpc.method=other", "management.observations.key-values.error=some");
		Map<String, Set<Tag>> observed = new TreeMap<>();
		runner.withUserConfiguration(Observed.class).run((context) -> {
			makeCalls(context);
			observed.putAll(tags(context));
		});
		assertThat(observed).containsOnlyKeys(CALL_METERS);
		assertThat(observed.get("grpc.server")).contains(Tag.of("zone", "a"), Tag.of("rpc.method", "other"));
		runner.run((context) -> {
			makeCalls(context);
			assertThat(tags(context)).isEqualTo(observed);
		});
	}

	@Test
	void aTimerThatIsDeniedIsAskedForOnce() {
		int[] asked = new int[1];
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		registry.config().meterFilter(MeterFilter.deny((id) -> {
			asked[0]++;
			return id.getName().equals("grpc.server");
		}));
		MethodTelemetry hello = new ServerStatistics(new CallMetersFactory(registry, true)).loop(0)
			.method(GreeterGrpc.getHelloMethod());
		int before = asked[0];
		for (int call = 0; call < 1_000; call++) {
			hello.callStarted(call);
			hello.callClosed(Status.OK, call, 1, true);
		}
		assertThat(asked[0]).isEqualTo(before + 1);
		assertThat(registry.find("grpc.server").meters()).isEmpty();
	}

	/** One OK, one NOT_FOUND. */
	private static void makeCalls(AssertableApplicationContext context) throws Exception {
		assertThat(context).hasNotFailed();
		ServerStatistics statistics = context.getBean(ServerStatistics.class);
		long before = closed(statistics);
		try (GreeterClient client = GreeterClient.of(context)) {
			client.hello("Ada");
			assertThat(client.helloLater("absent")).failsWithin(Duration.ofSeconds(20));
		}
		Awaitility.await().until(() -> closed(statistics) == before + 2);
	}

	private static long closed(ServerStatistics statistics) {
		return statistics.methods().stream().mapToLong((method) -> method.closed()).sum();
	}

	private static Timer timer(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class).get("grpc.server").tags("grpc.status_code", "OK").timer();
	}

	private static Set<String> names(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.collect(Collectors.toSet());
	}

	/** Without what the interceptor writes when the first call is cancelled. */
	private static Map<String, Set<Tag>> tags(AssertableApplicationContext context) {
		Map<String, Set<Tag>> tags = new TreeMap<>();
		for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
			Meter.Id id = meter.getId();
			if (id.getName().startsWith("grpc.server") && "test.v1.Greeter".equals(id.getTag("rpc.service"))
					&& !"NOT_FOUND".equals(id.getTag("grpc.status_code"))
					&& !id.getName().equals("grpc.server.cancelled")
					&& Set.of("Hello", "other").contains(id.getTag("rpc.method"))) {
				tags.put(id.getName(), new TreeSet<>(id.getTags()));
			}
		}
		return tags;
	}

	@Configuration(proxyBeanMethods = false)
	static class Observed {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor observationInterceptor(ObservationRegistry registry) {
			return new ObservationGrpcServerInterceptor(registry);
		}

	}

}
