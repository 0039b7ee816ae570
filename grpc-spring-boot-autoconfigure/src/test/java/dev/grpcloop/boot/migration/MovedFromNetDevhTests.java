package dev.grpcloop.boot.migration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application as net.devh's documentation shows them, moved by
 * {@code docs/migration.md}.
 */
@ExtendWith(OutputCaptureExtension.class)
class MovedFromNetDevhTests {

	/** What it was configured with there, without TLS. */
	private static final String[] BEFORE = { "grpc.server.shutdown-grace-period=10s",
			"grpc.server.enable-keep-alive=true", "grpc.server.keep-alive-time=1h",
			"grpc.server.maxInboundMessageSize=8MB", "grpc.server.reflection-service-enabled=false" };

	private static final String[] AFTER = { "grpc.server.shutdown.grace-period=10s", "grpc.server.keepalive.time=1h",
			"grpc.server.inbound.message.max-size=8MB", "grpc.server.reflection.enabled=false" };

	@Test
	void itServesAsBefore(CapturedOutput output) throws Exception {
		Events events;
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class, AFTER);
				GreeterClient client = GreeterClient.of(context)) {
			events = context.getBean(Events.class);
			assertThat(client.hello("Ada")).isEqualTo("Hello ==> Ada");
			assertThat(context.getBean(LogGrpcInterceptor.class).methods).containsExactly("test.v1.Greeter/Hello");
			assertThat(context.getBean(Customizers.class).builders).isOne();
			assertThat(events.names)
				.containsExactly("started on " + context.getEnvironment().getProperty("local.grpc.server.port"));
		}
		assertThat(events.names).hasSize(3).endsWith("shutdown", "terminated");
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aScopedBeanIsAValueOfTheContext() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.repeat("Ada")).containsExactly("call 1 of Ada", "call 1 of Ada");
			assertThat(client.repeat("Bob")).containsExactly("call 2 of Bob", "call 2 of Bob");
		}
	}

	@Test
	void exceptionsAreHandledAsBefore() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello(""))
				.satisfies(
						(failure) -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
		}
	}

	@Test
	void whatWasForgottenIsNamedInOneWarning(CapturedOutput output) {
		TestApplications.run(Application.class, BEFORE).close();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
		assertThat(output).contains("write grpc.server.shutdown.grace-period")
			.contains("grpc.server.enable-keep-alive")
			.contains("write grpc.server.keepalive.time")
			.contains("write grpc.server.inbound.message.max-size")
			.contains("write grpc.server.reflection.enabled");
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ GrpcServerService.class, LogGrpcInterceptor.class, RequestData.class, Customizers.class, Events.class,
			GrpcExceptionAdvice.class })
	static class Application {

	}

	@GrpcService
	static class GrpcServerService extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responseObserver) {
			if (request.getName().isEmpty()) {
				throw new IllegalArgumentException("no name");
			}
			HelloResponse reply = HelloResponse.newBuilder().setMessage("Hello ==> " + request.getName()).build();
			responseObserver.onNext(reply);
			responseObserver.onCompleted();
		}

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responseObserver) {
			for (int count = 0; count < 2; count++) {
				responseObserver.onNext(HelloResponse.newBuilder()
					.setMessage("call " + RequestData.NUMBER.get() + " of " + request.getName())
					.build());
			}
			responseObserver.onCompleted();
		}

	}

	@Component
	@GlobalServerInterceptor
	static class LogGrpcInterceptor implements ServerInterceptor {

		private final List<String> methods = new CopyOnWriteArrayList<>();

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.methods.add(call.getMethodDescriptor().getFullMethodName());
			return next.startCall(call, headers);
		}

	}

	@GrpcAdvice
	static class GrpcExceptionAdvice {

		static final Metadata.Key<String> HINT = Metadata.Key.of("hint", Metadata.ASCII_STRING_MARSHALLER);

		@GrpcExceptionHandler
		StatusException handleInvalidArgument(IllegalArgumentException ex) {
			Metadata metadata = new Metadata();
			metadata.put(HINT, "name");
			return Status.INVALID_ARGUMENT.withDescription("Your description").withCause(ex).asException(metadata);
		}

	}

	/** In the place of a bean of the scope {@code grpcRequest}. */
	@Component
	@GlobalServerInterceptor
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class RequestData implements ServerInterceptor {

		static final Context.Key<Integer> NUMBER = Context.key("number");

		private int calls;

		@Override
		public synchronized <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			return Contexts.interceptCall(Context.current().withValue(NUMBER, ++this.calls), call, headers, next);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		private int builders;

		@Bean
		ServerBuilderCustomizer<EventLoopServerBuilder> pingServerConfigurer() {
			return (builder) -> {
				builder.permitKeepAliveWithoutCalls(true);
				this.builders++;
			};
		}

	}

	@Component
	static class Events {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@EventListener
		void onServerStarted(GrpcServerStartedEvent event) {
			this.names.add("started on " + event.getPort());
		}

		@EventListener
		void onServerShutdown(GrpcServerShutdownEvent event) {
			this.names.add("shutdown");
		}

		@EventListener
		void onServerTerminated(GrpcServerTerminatedEvent event) {
			this.names.add("terminated");
		}

	}

}
