package dev.grpcloop.boot.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for meters under other names.
 */
@Timeout(60)
class AdditionalNamesTests {

	private static final String PROPERTY = "grpc.server.metrics.additional-names=";

	private static final Predicate<Meter.Id> A66 = (id) -> id.getName().startsWith("grpc.server.call.");

	private static final Predicate<Meter.Id> NET_DEVH = (id) -> id.getTag("methodType") != null;

	@Test
	void theyAreThereOnlyIfAskedFor() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class);
				GreeterClient client = GreeterClient.of(context)) {
			makeCalls(client);
			awaitCalls(context);
			assertThat(series(context, A66.or(NET_DEVH))).isEmpty();
		}
	}

	@Test
	void gRpcsOwnNames() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class, PROPERTY + "a66");
				GreeterClient client = GreeterClient.of(context)) {
			makeCalls(client);
			awaitCalls(context);
			Map<String, Double> expected = new TreeMap<>();
			String hello = "grpc.method=test.v1.Greeter/Hello";
			String chat = "grpc.method=test.v1.Greeter/Chat";
			String other = "grpc.method=other";
			expected.put("grpc.server.call.started " + hello, 3.0);
			expected.put("grpc.server.call.started " + chat, 1.0);
			expected.put("grpc.server.call.started " + other, 2.0);
			for (String name : new String[] { "duration", "sent_total_compressed_message_size",
					"rcvd_total_compressed_message_size" }) {
				expected.put("grpc.server.call." + name + " " + hello + " grpc.status=OK", 2.0);
				expected.put("grpc.server.call." + name + " " + hello + " grpc.status=NOT_FOUND", 1.0);
				expected.put("grpc.server.call." + name + " " + chat + " grpc.status=OK", 1.0);
				expected.put("grpc.server.call." + name + " " + other + " grpc.status=UNIMPLEMENTED", 2.0);
			}
			Awaitility.await().untilAsserted(() -> assertThat(series(context, A66)).isEqualTo(expected));
			// a field's tag and length, and "Ada", "Grace", "Hello Ada", "Hello Grace"
			assertThat(size(context, "rcvd", "Hello").totalAmount()).isEqualTo(2 * (2 + 3));
			assertThat(size(context, "sent", "Hello").totalAmount()).isEqualTo(2 * (2 + 9));
			assertThat(size(context, "rcvd", "Chat").max()).isEqualTo(2 + 3 + 2 + 5);
			assertThat(size(context, "sent", "Chat").max()).isEqualTo(2 + 9 + 2 + 11);
			assertThat(size(context, "sent", "Chat").takeSnapshot().histogramCounts()).hasSize(13)
				.extracting(CountAtBucket::bucket)
				.startsWith(1024.0, 2048.0, 4096.0)
				.endsWith(4.0 * 1024 * 1024 * 1024);
			assertThat(context.getBean(MeterRegistry.class)
				.get("grpc.server.call.duration")
				.tags("grpc.status", "NOT_FOUND")
				.timer()
				.takeSnapshot()
				.histogramCounts()).hasSize(40)
				.extracting((bucket) -> bucket.bucket(TimeUnit.MICROSECONDS))
				.startsWith(10.0, 50.0, 100.0)
				.endsWith(100e6);
			assertThat(series(context, NET_DEVH)).isEmpty();
		}
	}

	@Test
	void theNamesOfNetDevhAreThoseOfMicrometersInterceptor() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Compared.class, PROPERTY + "a66,net-devh");
				GreeterClient client = GreeterClient.of(context)) {
			makeCalls(client);
			awaitCalls(context);
			MeterRegistry others = context.getBean(Compared.Others.class).registry();
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(series(context, NET_DEVH)).isNotEmpty().isEqualTo(series(others, NET_DEVH)));
			assertThat(series(context, A66)).isNotEmpty();
		}
	}

	/** Of each: OK twice, NOT_FOUND once, a stream of two messages, and two unknown. */
	private static void makeCalls(GreeterClient client) throws Exception {
		client.hello("Ada");
		client.hello("Ada");
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("absent"));
		client.chat("Ada", "Grace");
		for (String method : new String[] { "test.v1.Greeter/Nothing", "no.such.Service/Nothing" }) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.callUnknown(method));
		}
	}

	private static void awaitCalls(ConfigurableApplicationContext context) {
		Awaitility.await()
			.until(() -> context.getBean(MeterRegistry.class)
				.get("grpc.server")
				.timers()
				.stream()
				.mapToLong((timer) -> timer.count())
				.sum() == 6);
	}

	private static DistributionSummary size(ConfigurableApplicationContext context, String direction, String method) {
		return context.getBean(MeterRegistry.class)
			.get("grpc.server.call." + direction + "_total_compressed_message_size")
			.tags("grpc.method", "test.v1.Greeter/" + method, "grpc.status", "OK")
			.summary();
	}

	private static Map<String, Double> series(ConfigurableApplicationContext context, Predicate<Meter.Id> names) {
		return series(context.getBean(MeterRegistry.class), names);
	}

	private static Map<String, Double> series(MeterRegistry registry, Predicate<Meter.Id> names) {
		Map<String, Double> series = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			Meter.Id id = meter.getId();
			StringBuilder key = new StringBuilder(id.getName());
			id.getTags().forEach((tag) -> key.append(' ').append(tag.getKey()).append('=').append(tag.getValue()));
			meter.measure().forEach((measurement) -> {
				if (names.test(id) && measurement.getStatistic() == Statistic.COUNT && measurement.getValue() > 0) {
					series.put(key.toString(), measurement.getValue());
				}
			});
		}
		return series;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Measured {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Measured.class)
	static class Compared {

		@Bean
		Others others() {
			return new Others(new SimpleMeterRegistry());
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor comparison(Others others) {
			return new MetricCollectingServerInterceptor(others.registry());
		}

		/** Not a bean of type {@link MeterRegistry}: ours must not write to it. */
		record Others(SimpleMeterRegistry registry) {
		}

	}

}
