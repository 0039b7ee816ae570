package dev.grpcloop.boot.observation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.RawPeer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each way in which a call can end is counted once, under the same names, whoever records
 * it.
 */
@Timeout(60)
class RecorderContractTests {

	private static final Metadata.Key<String> TIMEOUT = Metadata.Key.of("grpc-timeout",
			Metadata.ASCII_STRING_MARSHALLER);

	/** A number that is not compared. */
	private static final double SOME = -1;

	private static final Metadata.Key<String> REJECTED = Metadata.Key.of("rejected", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<String> DENIED = Metadata.Key.of("denied", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<String> UNSAID = Metadata.Key.of("unsaid", Metadata.ASCII_STRING_MARSHALLER);

	@ParameterizedTest
	@ValueSource(strings = { "engine", "interceptor" })
	void everyEndIsCountedOnceUnderTheSameNames(String recorder) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.observation.recorder=" + recorder, "grpc.server.inbound.message.max-size=1KB")) {
			AtomicInteger started = context.getBean(Application.class).started;
			try (GreeterClient client = GreeterClient.of(context)) {
				callUnary(client);
				client.repeat("Ada");
				client.collect("Ada", "Grace");
				client.chat("Ada", "Grace");
				ClientCall<HelloRequest, HelloResponse> call = open(client, "", "", started);
				assertThat(series(context.getBean(MeterRegistry.class), Statistic.ACTIVE_TASKS))
					.containsExactly(Map.entry("grpc.server.active{Chat,BIDI_STREAMING,UNKNOWN}", 1.0));
				call.cancel("test", null);
				open(client, TIMEOUT.name(), "50m", started);
			}
			int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
			try (RawPeer peer = new RawPeer(port)) {
				int before = started.get();
				peer.begin().call(1, "Chat");
				Awaitility.await().until(() -> started.get() > before);
			}
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Awaitility.await()
				.untilAsserted(() -> assertThat(counts(registry)).containsExactlyInAnyOrderEntriesOf(expected()));
			assertThat(series(registry, Statistic.ACTIVE_TASKS)).isEmpty();
		}
	}

	private static void callUnary(GreeterClient client) {
		client.hello("Ada");
		for (String name : new String[] { "absent", "failed", "broken", "x".repeat(2000) }) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello(name));
		}
		for (Metadata.Key<String> key : List.of(REJECTED, DENIED, UNSAID, TIMEOUT)) {
			Metadata headers = new Metadata();
			headers.put(key, "1n");
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> GreeterGrpc.newBlockingStub(client.channel())
					.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
					.hello(GreeterService.request("Ada")));
		}
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> client.callUnknown("no.such.Service/Nothing"));
	}

	private static ClientCall<HelloRequest, HelloResponse> open(GreeterClient client, String header, String value,
			AtomicInteger started) {
		int before = started.get();
		ClientCall<HelloRequest, HelloResponse> call = client.channel()
			.newCall(GreeterGrpc.getChatMethod(), CallOptions.DEFAULT);
		Metadata headers = new Metadata();
		if (!header.isEmpty()) {
			headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
		}
		AtomicInteger ended = new AtomicInteger();
		call.start(new ClientCall.Listener<>() {

			@Override
			public void onClose(Status status, Metadata trailers) {
				ended.incrementAndGet();
			}

		}, headers);
		Awaitility.await().until(() -> started.get() > before);
		if (!header.isEmpty()) {
			Awaitility.await().until(() -> ended.get() == 1);
		}
		return call;
	}

	private static Map<String, Double> expected() {
		Map<String, Double> expected = new TreeMap<>();
		expected.put("grpc.server{Hello,UNARY,OK,none}", 1.0);
		expected.put("grpc.server{Hello,UNARY,NOT_FOUND,none}", 1.0);
		expected.put("grpc.server{Hello,UNARY,UNKNOWN,IllegalArgumentException}", 1.0);
		expected.put("grpc.server{Hello,UNARY,FAILED_PRECONDITION,IllegalStateException}", 1.0);
		expected.put("grpc.server{Hello,UNARY,PERMISSION_DENIED,StatusRuntimeException}", 1.0);
		expected.put("grpc.server{Hello,UNARY,UNKNOWN,StatusRuntimeException}", 1.0);
		// one is too large, one is rejected by the executor
		expected.put("grpc.server{Hello,UNARY,RESOURCE_EXHAUSTED,none}", 2.0);
		expected.put("grpc.server{Hello,UNARY,DEADLINE_EXCEEDED,none}", 1.0);
		expected.put("grpc.server{Repeat,SERVER_STREAMING,OK,none}", 1.0);
		expected.put("grpc.server{Collect,CLIENT_STREAMING,OK,none}", 1.0);
		expected.put("grpc.server{Chat,BIDI_STREAMING,OK,none}", 1.0);
		// one by its client, one with its connection
		expected.put("grpc.server{Chat,BIDI_STREAMING,CANCELLED,none}", 2.0);
		expected.put("grpc.server{Chat,BIDI_STREAMING,DEADLINE_EXCEEDED,none}", 1.0);
		expected.put("grpc.server{UNKNOWN,UNKNOWN,UNIMPLEMENTED,none}", 1.0);
		expected.put("grpc.server.sent{Hello,UNARY,UNKNOWN}", 1.0);
		expected.put("grpc.server.sent{Repeat,SERVER_STREAMING,UNKNOWN}", 3.0);
		expected.put("grpc.server.sent{Collect,CLIENT_STREAMING,UNKNOWN}", 1.0);
		expected.put("grpc.server.sent{Chat,BIDI_STREAMING,UNKNOWN}", 2.0);
		expected.put("grpc.server.received{Hello,UNARY,UNKNOWN}", SOME);
		expected.put("grpc.server.received{Repeat,SERVER_STREAMING,UNKNOWN}", SOME);
		expected.put("grpc.server.received{Collect,CLIENT_STREAMING,UNKNOWN}", SOME);
		expected.put("grpc.server.received{Chat,BIDI_STREAMING,UNKNOWN}", SOME);
		expected.put("grpc.server.cancelled{Chat,BIDI_STREAMING,UNKNOWN}", 3.0);
		return expected;
	}

	/**
	 * Requests are not compared one by one: the engine counts those that arrive, the
	 * interceptor those that get as far as a service. Nor are the cancellations of calls
	 * that a service may or may not see before the server ends them.
	 */
	private static Map<String, Double> counts(MeterRegistry registry) {
		Map<String, Double> counts = series(registry, Statistic.COUNT);
		counts.keySet().removeIf((name) -> name.startsWith("grpc.server.cancelled{Hello"));
		counts.replaceAll((name, count) -> name.startsWith("grpc.server.received") ? SOME : count);
		return counts;
	}

	private static Map<String, Double> series(MeterRegistry registry, Statistic statistic) {
		Map<String, Double> series = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			Meter.Id id = meter.getId();
			if (!id.getName().startsWith("grpc.server")) {
				continue;
			}
			String key = id.getName() + "{" + id.getTag("rpc.method") + "," + id.getTag("rpc.type") + ","
					+ id.getTag("grpc.status_code") + ((id.getTag("error") != null) ? "," + id.getTag("error") : "")
					+ "}";
			assertThat(id.getTags()).hasSize(id.getName().equals("grpc.server") ? 5 : 4);
			meter.measure().forEach((measurement) -> {
				if (measurement.getStatistic() == statistic && measurement.getValue() > 0) {
					assertThat(series.put(key, measurement.getValue())).isNull();
				}
			});
		}
		return series;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

		private final AtomicInteger started = new AtomicInteger();

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ObservationRegistry observationRegistry(MeterRegistry registry) {
			ObservationRegistry observations = ObservationRegistry.create();
			observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
			return observations;
		}

		@Bean
		GrpcExceptionHandler handler() {
			return (exception) -> (exception instanceof IllegalStateException)
					? Status.FAILED_PRECONDITION.asException() : null;
		}

		@Bean
		ServerCallExecutorSupplier executorSupplier() {
			return new ServerCallExecutorSupplier() {

				@Override
				public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
					return headers.containsKey(REJECTED) ? Application::reject : null;
				}

			};
		}

		private static void reject(Runnable task) {
			throw new RejectedExecutionException();
		}

		@Bean
		@Order(10)
		@GlobalServerInterceptor
		ServerInterceptor gate() {
			return new ServerInterceptor() {

				@Override
				public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
						ServerCallHandler<Q, R> next) {
					if (headers.containsKey(DENIED)) {
						throw Status.PERMISSION_DENIED.asRuntimeException();
					}
					if (headers.containsKey(UNSAID)) {
						throw Status.UNKNOWN.asRuntimeException();
					}
					ServerCall.Listener<Q> listener = next.startCall(call, headers);
					Application.this.started.incrementAndGet();
					return listener;
				}

			};
		}

	}

}
