package dev.grpcloop.boot.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import brave.Span.Kind;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.TraceContext;
import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.prometheus.PrometheusExemplarsAutoConfiguration;
import org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TracingTests {

	private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

	private static final String PARENT = "b7ad6b7169203331";

	private static final String SEEN = TRACE + " acme";

	@ParameterizedTest
	@MethodSource("applications")
	void everyCallbackKnowsTheTraceAndNoThreadKeepsIt(Class<?> application, String mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(application,
				"grpc.server.executor.mode=" + mode, "management.tracing.sampling.probability=1",
				"management.tracing.baggage.remote-fields=tenant",
				"management.tracing.baggage.correlation.fields=tenant",
				"management.metrics.distribution.percentiles-histogram.grpc.server=true");
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(call(client, "traceparent", "00-" + TRACE + "-" + PARENT + "-01")).hasSize(7).containsOnly(SEEN);
			assertThat(call(client, "b3", TRACE + "-" + PARENT + "-1")).hasSize(7).containsOnly(SEEN);
			Traced traced = context.getBean(Traced.class);
			Awaitility.await().untilAsserted(() -> assertThat(traced.spans).hasSize(8));
			assertThat(traced.spans).allSatisfy((span) -> {
				assertThat(span.kind()).isEqualTo(Kind.SERVER);
				assertThat(span.traceId()).isEqualTo(TRACE);
				assertThat(span.parentId()).isEqualTo(PARENT);
				assertThat(span.tag("grpc.status_code")).isEqualTo("OK");
			});
			assertThat(traced.spans).extracting(MutableSpan::name).contains("test.v1.Greeter/Hello");
			assertThat(traced.onEventLoop).hasSize(8).containsOnly("nothing");
			assertExemplars(context.getBean(PrometheusMeterRegistry.class), traced);
		}
	}

	static Stream<Arguments> applications() {
		Stream<Arguments> everywhere = Stream.of(Arguments.of(ServiceApplication.class, "event-loop"),
				Arguments.of(ServiceApplication.class, "platform"),
				Arguments.of(ControllerApplication.class, "event-loop"),
				Arguments.of(ControllerApplication.class, "platform"));
		return (Runtime.version().feature() < 21) ? everywhere
				: Stream.concat(everywhere, Stream.of(Arguments.of(ServiceApplication.class, "virtual")));
	}

	private static List<String> call(GreeterClient client, String header, String value) throws Exception {
		Metadata headers = new Metadata();
		headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
		headers.put(Metadata.Key.of("baggage", Metadata.ASCII_STRING_MARSHALLER), "tenant=acme");
		headers.put(Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER), "acme");
		Channel channel = ClientInterceptors.intercept(client.channel(),
				MetadataUtils.newAttachHeadersInterceptor(headers));
		List<String> seen = new ArrayList<>();
		GreeterGrpc.GreeterStub stub = GreeterGrpc.newStub(channel);
		Messages hello = new Messages();
		stub.hello(GreeterService.request("Ada"), hello);
		seen.addAll(hello.await());
		Messages repeat = new Messages();
		stub.repeat(GreeterService.request("Ada"), repeat);
		seen.addAll(repeat.await());
		Messages collect = new Messages();
		StreamObserver<HelloRequest> collected = stub.collect(collect);
		collected.onNext(GreeterService.request("Ada"));
		collected.onCompleted();
		seen.addAll(collect.await());
		Messages chat = new Messages();
		StreamObserver<HelloRequest> requests = stub.chat(chat);
		requests.onNext(GreeterService.request("Ada"));
		requests.onNext(GreeterService.request("Grace"));
		requests.onCompleted();
		seen.addAll(chat.await());
		return seen;
	}

	private static void assertExemplars(PrometheusMeterRegistry registry, Traced traced) {
		List<String> exemplars = registry.scrape("application/openmetrics-text; version=1.0.0")
			.lines()
			.filter((line) -> line.startsWith("grpc_server_seconds_bucket") && line.contains("# {"))
			.toList();
		assertThat(exemplars).isNotEmpty()
			.allMatch((line) -> line.contains("trace_id=\"" + TRACE + "\""))
			.allMatch(
					(line) -> traced.spans.stream().anyMatch((span) -> line.contains("span_id=\"" + span.id() + "\"")));
	}

	static HelloResponse seen() {
		return HelloResponse.newBuilder().setMessage(MDC.get("traceId") + " " + MDC.get("tenant")).build();
	}

	private static final class Messages implements StreamObserver<HelloResponse> {

		private final List<String> messages = new ArrayList<>();

		private final CompletableFuture<List<String>> end = new CompletableFuture<>();

		@Override
		public void onNext(HelloResponse response) {
			this.messages.add(response.getMessage());
		}

		@Override
		public void onError(Throwable ex) {
			this.end.completeExceptionally(ex);
		}

		@Override
		public void onCompleted() {
			this.end.complete(this.messages);
		}

		List<String> await() throws Exception {
			return this.end.get(30, TimeUnit.SECONDS);
		}

	}

	@GrpcService
	static class TracedService extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(seen());
			responses.onCompleted();
		}

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(seen());
			responses.onNext(seen());
			responses.onCompleted();
		}

		@Override
		public StreamObserver<HelloRequest> collect(StreamObserver<HelloResponse> responses) {
			return requests(responses, false);
		}

		@Override
		public StreamObserver<HelloRequest> chat(StreamObserver<HelloResponse> responses) {
			return requests(responses, true);
		}

		private static StreamObserver<HelloRequest> requests(StreamObserver<HelloResponse> responses, boolean each) {
			return new StreamObserver<>() {

				@Override
				public void onNext(HelloRequest request) {
					if (each) {
						responses.onNext(seen());
					}
				}

				@Override
				public void onError(Throwable ex) {
					// nobody cancels
				}

				@Override
				public void onCompleted() {
					responses.onNext(seen());
					responses.onCompleted();
				}

			};
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class TracedController {

		public Mono<HelloResponse> hello(HelloRequest request) {
			return Mono.fromSupplier(TracingTests::seen);
		}

		public Stream<HelloResponse> repeat(HelloRequest request) {
			return Stream.of(1, 2).map((number) -> seen());
		}

		public CompletableFuture<HelloResponse> collect(Flux<HelloRequest> requests) {
			return requests.map((request) -> seen()).last().toFuture();
		}

		public Flux<HelloResponse> chat(Flux<HelloRequest> requests) {
			return requests.map((request) -> seen()).concatWith(Mono.fromSupplier(TracingTests::seen));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Traced.class, TracedService.class })
	static class ServiceApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Traced.class, TracedController.class })
	static class ControllerApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			PrometheusMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class,
			MicrometerTracingAutoConfiguration.class, BraveAutoConfiguration.class,
			PrometheusExemplarsAutoConfiguration.class })
	static class Traced {

		private final List<MutableSpan> spans = new CopyOnWriteArrayList<>();

		private final List<String> onEventLoop = new CopyOnWriteArrayList<>();

		@Bean
		SpanHandler spans() {
			return new SpanHandler() {

				@Override
				public boolean end(TraceContext context, MutableSpan span, Cause cause) {
					return Traced.this.spans.add(new MutableSpan(span));
				}

			};
		}

		@Bean
		ServerStreamTracer.Factory eventLoop() {
			return new ServerStreamTracer.Factory() {

				@Override
				public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
					Traced.this.onEventLoop.add((MDC.get("traceId") != null) ? MDC.get("traceId") : "nothing");
					return new ServerStreamTracer() {
					};
				}

			};
		}

	}

}
