package dev.grpcloop.boot.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The meters of real calls.
 */
@Timeout(60)
class ServerMetricsTests {

	@Test
	void everyCallAndEveryMessageIsCountedOnce() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class, "grpc.server.workers=2")) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			for (int connection = 0; connection < 4; connection++) {
				try (GreeterClient client = GreeterClient.of(context)) {
					makeCalls(client);
				}
			}
			Map<String, Double> expected = new TreeMap<>();
			expected.put("grpc.server{Hello,UNARY,OK,none}", 40.0);
			expected.put("grpc.server{Hello,UNARY,NOT_FOUND,none}", 4.0);
			expected.put("grpc.server{Hello,UNARY,UNKNOWN,IllegalArgumentException}", 4.0);
			expected.put("grpc.server{Hello,UNARY,UNKNOWN,IllegalStateException}", 4.0);
			expected.put("grpc.server{Repeat,SERVER_STREAMING,OK,none}", 4.0);
			expected.put("grpc.server{Collect,CLIENT_STREAMING,OK,none}", 4.0);
			expected.put("grpc.server{Chat,BIDI_STREAMING,OK,none}", 4.0);
			expected.put("grpc.server{UNKNOWN,UNKNOWN,UNIMPLEMENTED,none}", 8.0);
			expected.put("grpc.server.received{Hello,UNARY,UNKNOWN}", 52.0);
			expected.put("grpc.server.sent{Hello,UNARY,UNKNOWN}", 40.0);
			expected.put("grpc.server.received{Repeat,SERVER_STREAMING,UNKNOWN}", 4.0);
			expected.put("grpc.server.sent{Repeat,SERVER_STREAMING,UNKNOWN}", 12.0);
			expected.put("grpc.server.received{Collect,CLIENT_STREAMING,UNKNOWN}", 8.0);
			expected.put("grpc.server.sent{Collect,CLIENT_STREAMING,UNKNOWN}", 4.0);
			expected.put("grpc.server.received{Chat,BIDI_STREAMING,UNKNOWN}", 8.0);
			expected.put("grpc.server.sent{Chat,BIDI_STREAMING,UNKNOWN}", 8.0);
			Awaitility.await()
				.untilAsserted(() -> assertThat(series(registry, (name) -> name.startsWith("grpc.server")))
					.containsAllEntriesOf(expected));
			Map<String, Double> all = series(registry, (name) -> name.startsWith("grpc.server"));
			all.keySet().removeAll(expected.keySet());
			assertThat(all.entrySet()
				.removeIf((entry) -> entry.getKey().startsWith("grpc.server.cancelled{") && entry.getValue() == 0))
				.isTrue();
			// whether messages of unknown methods are counted is the engine's business
			assertThat(all.keySet()).allMatch((key) -> key.endsWith("{UNKNOWN,UNKNOWN,UNKNOWN}"));
			assertThat(registry.get("grpc.engine.bytes.received").functionCounter().count()).isPositive();
			assertThat(registry.get("grpc.engine.bytes.sent").functionCounter().count()).isPositive();
			Awaitility.await().untilAsserted(() -> {
				assertThat(registry.get("grpc.engine.connections.active").gauge().value()).isZero();
				assertThat(registry.get("grpc.engine.calls.active").gauge().value()).isZero();
			});
		}
	}

	@Test
	void theSeriesAreThoseOfMicrometersInterceptor() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Compared.class);
				GreeterClient client = GreeterClient.of(context)) {
			SimpleMeterRegistry others = context.getBean(OtherRegistry.class).registry;
			makeCalls(client);
			Predicate<String> same = (name) -> name.equals("grpc.server") || name.equals("grpc.server.received")
					|| name.equals("grpc.server.sent");
			Awaitility.await().untilAsserted(() -> {
				Map<String, Double> ours = series(context.getBean(MeterRegistry.class), same);
				// the interceptor does not see calls of unknown methods
				ours.keySet().removeIf((key) -> key.contains("{UNKNOWN,"));
				// its received and sent series come with the first message, ours with the
				// method
				ours.values().removeIf((value) -> value == 0);
				assertThat(ours).isEqualTo(series(others, same));
			});
		}
	}

	@Test
	void aCallThatTheClientCancelsIsCancelled() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class);
				GreeterClient client = GreeterClient.of(context)) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			ClientCall<HelloRequest, HelloResponse> call = client.channel()
				.newCall(GreeterGrpc.getChatMethod(), CallOptions.DEFAULT);
			call.start(new ClientCall.Listener<>() {
			}, new Metadata());
			Awaitility.await()
				.untilAsserted(() -> assertThat(registry.get("grpc.engine.calls.active").gauge().value()).isEqualTo(1));
			call.cancel("test", null);
			Awaitility.await()
				.untilAsserted(() -> assertThat(series(registry, "grpc.server"::equals))
					.containsExactlyEntriesOf(Map.of("grpc.server{Chat,BIDI_STREAMING,CANCELLED,none}", 1.0)));
			assertThat(registry.get("grpc.engine.calls.active").gauge().value()).isZero();
		}
	}

	@Test
	void anObservationInterceptorOfTheApplicationIsTheOnlyRecorder() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Observed.class);
				GreeterClient client = GreeterClient.of(context)) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			client.hello("Ada");
			Awaitility.await()
				.untilAsserted(() -> assertThat(series(registry, "grpc.server"::equals))
					.containsExactlyEntriesOf(Map.of("grpc.server{Hello,UNARY,OK,none}", 1.0)));
			assertThat(registry.get("grpc.server.received").meters()).hasSize(1);
			assertThat(registry.get("grpc.engine.bytes.received").functionCounter().count()).isPositive();
		}
	}

	@Test
	void countersDoNotFallWhenTheServerStartsAgain() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class)) {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			double bytes = 0;
			for (int start = 1; start <= 3; start++) {
				try (GreeterClient client = GreeterClient.of(context)) {
					client.hello("Ada");
				}
				context.stop();
				assertThat(registry.get("grpc.server").timer().count()).isEqualTo(start);
				assertThat(registry.get("grpc.server.sent").tags("rpc.method", "Hello").functionCounter().count())
					.isEqualTo(start);
				assertThat(registry.get("grpc.engine.bytes.received").functionCounter().count()).isGreaterThan(bytes);
				bytes = registry.get("grpc.engine.bytes.received").functionCounter().count();
				context.start();
			}
		}
	}

	@Test
	void theBytesHeldForClientsAreThoseOfTheServerThatRuns() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Measured.class)) {
			Gauge buffered = context.getBean(MeterRegistry.class).get("grpc.engine.buffered.bytes").gauge();
			Gauge limit = context.getBean(MeterRegistry.class).get("grpc.engine.buffered.max").gauge();
			for (int start = 0; start < 2; start++) {
				assertThat(buffered.value()).isZero();
				assertThat(limit.value()).isEqualTo(StartedServer.of(context).getMaxBufferedBytes());
				try (GreeterClient client = GreeterClient.of(context)) {
					// the loop reports in steps of 32 KiB, and an open call is 2 KiB
					for (int i = 0; i < 40; i++) {
						ClientCall<HelloRequest, HelloResponse> call = client.channel()
							.newCall(GreeterGrpc.getChatMethod(), CallOptions.DEFAULT);
						call.start(new ClientCall.Listener<>() {
						}, new Metadata());
					}
					Awaitility.await().untilAsserted(() -> assertThat(buffered.value()).isPositive());
					assertThat(buffered.value()).isEqualTo(StartedServer.of(context).getBufferedBytes());
				}
				Awaitility.await().untilAsserted(() -> assertThat(buffered.value()).isZero());
				context.stop();
				context.start();
			}
		}
	}

	@Test
	void springBootsMetricsAreThereBeforeTheServer() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(SpringBootMetrics.class);
				GreeterClient client = GreeterClient.of(context)) {
			client.hello("Ada");
			Awaitility.await()
				.untilAsserted(() -> assertThat(series(context.getBean(MeterRegistry.class), "grpc.server"::equals))
					.containsExactlyEntriesOf(Map.of("grpc.server{Hello,UNARY,OK,none}", 1.0)));
		}
	}

	private static void makeCalls(GreeterClient client) throws Exception {
		for (int i = 0; i < 10; i++) {
			client.hello("Ada");
		}
		for (String name : new String[] { "absent", "failed", "broken" }) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello(name));
		}
		client.repeat("Ada");
		client.collect("Ada", "Grace");
		client.chat("Ada", "Grace");
		for (String method : new String[] { "test.v1.Greeter/Nothing", "no.such.Service/Nothing" }) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.callUnknown(method));
		}
	}

	private static Map<String, Double> series(MeterRegistry registry, Predicate<String> names) {
		Map<String, Double> series = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			Meter.Id id = meter.getId();
			if (!names.test(id.getName()) || String.valueOf(id.getTag("rpc.service")).startsWith("grpc.")) {
				continue;
			}
			String key = id.getName() + "{" + id.getTag("rpc.method") + "," + id.getTag("rpc.type") + ","
					+ id.getTag("grpc.status_code") + ((id.getTag("error") != null) ? "," + id.getTag("error") : "")
					+ "}";
			assertThat(id.getTag("rpc.service"))
				.isEqualTo("UNKNOWN".equals(id.getTag("rpc.method")) ? "UNKNOWN" : "test.v1.Greeter");
			assertThat(id.getTags()).hasSize(id.getName().equals("grpc.server") ? 5 : 4);
			meter.measure().forEach((measurement) -> {
				if (measurement.getStatistic() == Statistic.COUNT) {
					assertThat(series.put(key, measurement.getValue())).isNull();
				}
			});
		}
		return series;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	@ImportAutoConfiguration(MetricsAutoConfiguration.class)
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
		OtherRegistry otherRegistry() {
			return new OtherRegistry(new SimpleMeterRegistry());
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor comparison(OtherRegistry other) {
			ServerInterceptor interceptor = new ObservationGrpcServerInterceptor(observations(other.registry()));
			// not of its type: ours would leave the calls to it
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					return interceptor.interceptCall(call, headers, next);
				}

			};
		}

	}

	/** Not a bean of type {@link MeterRegistry}: ours must not write to it. */
	record OtherRegistry(SimpleMeterRegistry registry) {
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Measured.class)
	static class Observed {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor observationInterceptor(MeterRegistry registry) {
			return new ObservationGrpcServerInterceptor(observations(registry));
		}

	}

	private static ObservationRegistry observations(MeterRegistry registry) {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		return observations;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class })
	static class SpringBootMetrics {

	}

}
