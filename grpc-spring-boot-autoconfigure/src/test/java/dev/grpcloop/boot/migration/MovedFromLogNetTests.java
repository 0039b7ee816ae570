package dev.grpcloop.boot.migration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.ServerInterceptorFilter;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application as LogNet's documentation shows them, moved by
 * {@code docs/migration.md}.
 */
@ExtendWith(OutputCaptureExtension.class)
class MovedFromLogNetTests {

	/** What it was configured with there. */
	private static final String[] BEFORE = { "grpc.enable-reflection=true", "grpc.shutdownGrace=30",
			"grpc.netty-server.keep-alive-time=30s", "grpc.netty-server.max-inbound-message-size=10MB",
			"grpc.netty-server.max-concurrent-calls-per-connection=50" };

	private static final String[] AFTER = { "grpc.server.shutdown.grace-period=30s", "grpc.server.keepalive.time=30s",
			"grpc.server.inbound.message.max-size=10MB", "grpc.server.max-concurrent-calls-per-connection=50" };

	@Test
	void itServesAsBefore(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class, AFTER);
				GreeterClient client = GreeterClient.of(context)) {
			Log log = context.getBean(Log.class);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(log.lines).containsExactly("configured", "started", "global", "of the service");
		}
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aFilterKeepsGlobalInterceptorsFromAService() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("Ada"));
			assertThat(context.getBean(Log.class).lines).doesNotContain("global");
		}
	}

	@Test
	void whatWasForgottenIsNamedInOneWarning(CapturedOutput output) {
		TestApplications.run(Application.class, BEFORE).close();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
		assertThat(output).contains("grpc.enable-reflection")
			.contains("write grpc.server.shutdown.grace-period (30s unless it is set; was 0)")
			.contains("write grpc.server.keepalive.time")
			.contains("write grpc.server.inbound.message.max-size")
			.contains("write grpc.server.max-concurrent-calls-per-connection");
	}

	@Test
	void itsTlsIsNotForgotten() {
		assertThatExceptionOfType(FailureAnalyzedException.class)
			.isThrownBy(() -> TestApplications.run(Application.class, "grpc.security.cert-chain=classpath:server.pem",
					"grpc.security.private-key=file:server.key"))
			.satisfies((failure) -> assertThat(failure.analysis().getDescription()).contains("grpc.security.cert-chain")
				.contains("grpc.security.private-key"));
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Log.class, MovedGreeterService.class, MovedFarewellService.class, LogInterceptor.class,
			MyInterceptor.class, Limits.class })
	static class Application {

		/** In the place of {@code applyGlobalInterceptors = false}. */
		@Bean
		ServerInterceptorFilter withoutGlobalInterceptors() {
			return (interceptor, service) -> !(interceptor instanceof MyInterceptor
					&& service.getServiceDescriptor().getName().equals(FarewellGrpc.SERVICE_NAME));
		}

	}

	@GrpcService(interceptors = { LogInterceptor.class })
	static class MovedGreeterService extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responseObserver) {
			HelloResponse.Builder replyBuilder = HelloResponse.newBuilder().setMessage("Hello " + request.getName());
			responseObserver.onNext(replyBuilder.build());
			responseObserver.onCompleted();
		}

	}

	@GrpcService
	static class MovedFarewellService extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responseObserver) {
			responseObserver.onNext(HelloResponse.newBuilder().setMessage("Bye " + request.getName()).build());
			responseObserver.onCompleted();
		}

	}

	@Component
	static class Log {

		private final List<String> lines = new CopyOnWriteArrayList<>();

		@EventListener
		void started(GrpcServerStartedEvent event) {
			assertThat(event.getServer().getPort()).isEqualTo(event.getPort());
			this.lines.add("started");
		}

	}

	@Component
	static class LogInterceptor implements ServerInterceptor {

		private final Log log;

		LogInterceptor(Log log) {
			this.log = log;
		}

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.log.lines.add("of the service");
			return next.startCall(call, headers);
		}

	}

	@Component
	@GlobalServerInterceptor
	@Order(10)
	static class MyInterceptor implements ServerInterceptor {

		private final Log log;

		MyInterceptor(Log log) {
			this.log = log;
		}

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.log.lines.add("global");
			return next.startCall(call, headers);
		}

	}

	@Component
	static class Limits implements ServerBuilderCustomizer<EventLoopServerBuilder> {

		private final Log log;

		Limits(Log log) {
			this.log = log;
		}

		@Override
		public void customize(EventLoopServerBuilder builder) {
			builder.maxInboundMessageSize(8_000_000);
			this.log.lines.add("configured");
		}

	}

}
