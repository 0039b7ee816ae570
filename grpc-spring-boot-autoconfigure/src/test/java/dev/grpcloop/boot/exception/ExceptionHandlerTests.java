package dev.grpcloop.boot.exception;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.testsupport.ThrowingService;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.security.access.AccessDeniedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Exceptions that handlers of the application claim.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExceptionHandlerTests {

	private static final Metadata.Key<String> HINT = Metadata.Key.of("hint", Metadata.ASCII_STRING_MARSHALLER);

	private static ConfigurableApplicationContext context;

	private static GreeterClient client;

	@BeforeAll
	static void start() {
		context = TestApplications.run(Handlers.class);
		client = GreeterClient.of(context);
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.close();
		context.close();
	}

	@Test
	void theMethodForTheNearestClassDecides() {
		assertThat(fail("throw", new FileNotFoundException("f"))).hasMessage("NOT_FOUND: nearest");
		assertThat(fail("throw", new IOException("f"))).hasMessage("UNAVAILABLE: further");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void aStatusExceptionKeepsItsTrailers(String way) {
		StatusRuntimeException told = fail(way, new IllegalArgumentException("x"));
		assertThat(told).hasMessage("INVALID_ARGUMENT: x");
		assertThat(told.getTrailers().getAll(HINT)).containsExactly("look");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void aStatusWithDetailsArrivesWhole(String way) throws Exception {
		com.google.rpc.Status status = StatusProto.fromThrowable(fail(way, new ArithmeticException("x")));
		assertThat(status.getMessage()).isEqualTo("x");
		assertThat(status.getDetailsList()).hasSize(1);
		assertThat(status.getDetails(0).unpack(ErrorInfo.class).getReason()).isEqualTo("MATHS");
	}

	@Test
	void aStatusThatAMethodThrowsIsItsAnswer() {
		assertThat(fail("throw", new SecurityException("x"))).hasMessage("PERMISSION_DENIED: thrown");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void anotherExceptionOfAMethodEndsTheCallWithInternal(String way, CapturedOutput output) {
		StatusRuntimeException told = fail(way, new NumberFormatException("x"));
		assertThat(told.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
		assertThat(told.getMessage()).doesNotContain("broken");
		assertThat(output).contains("broken advice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void anExceptionOfAHandlerEndsTheCallWithInternal(String way, CapturedOutput output) {
		assertThat(fail(way, new NegativeArraySizeException("x"))).hasMessage("INTERNAL");
		assertThat(output).contains("A GrpcExceptionHandler threw")
			.contains("test.v1.Farewell/Bye")
			.contains("broken handler")
			.contains("Suppressed: java.lang.NegativeArraySizeException: x");
	}

	@Test
	void handlersAreAskedInTheirOrderOnceForEachException() {
		Asked asked = context.getBean(Asked.class);
		for (String way : List.of("throw", "pass on")) {
			asked.names().clear();
			assertThat(fail(way, new CloneNotSupportedException("x"))).hasMessage("UNKNOWN");
			assertThat(asked.names()).containsExactly("first", "second");
		}
	}

	@Test
	void aThrownStatusPassesUnlessAHandlerClaimsIt() {
		StatusRuntimeException thrown = Status.DATA_LOSS.withDescription("mine").asRuntimeException(trailers());
		StatusRuntimeException told = fail("throw", thrown);
		assertThat(told).hasMessage("DATA_LOSS: mine");
		assertThat(told.getTrailers().getAll(HINT)).containsExactly("look");
		assertThat(fail("throw", Status.OUT_OF_RANGE.asRuntimeException())).hasMessage("RESOURCE_EXHAUSTED: claimed");
	}

	@Test
	void theyCountForMoreThanTheTable() {
		assertThat(fail("throw", new AccessDeniedException("x"))).hasMessage("NOT_FOUND: nothing to see");
	}

	@Test
	void anUnknownOfAHandlerHasItsTrailersOnce() {
		StatusRuntimeException told = fail("throw", new ClassNotFoundException("x"));
		assertThat(told).hasMessage("UNKNOWN: who knows");
		assertThat(told.getTrailers().getAll(HINT)).containsExactly("look");
	}

	@Test
	void streamsAreHandledToo() {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> client.chat("Ada"))
			.havingCause()
			.withMessage("NOT_FOUND: nearest");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> client.collect("Ada"))
			.havingCause()
			.withMessage("UNAVAILABLE: further");
	}

	@Test
	void adviceOfAParentContextIsFound() throws Exception {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Advice.class);
				ConfigurableApplicationContext child = TestApplications.builder(ThrowingService.class)
					.parent(parent)
					.run();
				GreeterClient client = GreeterClient.of(child)) {
			assertThat(ThrowingService.fail(child, client.channel(), "throw", () -> new FileNotFoundException("f")))
				.hasMessage("NOT_FOUND: nearest");
		}
	}

	@Test
	void adviceThatAProxyHidesStopsTheStart() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> TestApplications.run(HiddenAdvice.class))
			.havingRootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.withMessageContaining("'hiddenAdvice'")
			.withMessageContaining("@GrpcExceptionHandler method 'handle'");
	}

	private static StatusRuntimeException fail(String way, Exception exception) {
		return ThrowingService.fail(context, client.channel(), way, () -> exception);
	}

	private static Metadata trailers() {
		Metadata trailers = new Metadata();
		trailers.put(HINT, "look");
		return trailers;
	}

	record Asked(List<String> names) {
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ ThrowingService.class, Advice.class, ThrowingGreeter.class })
	static class Handlers {

		@Bean
		Asked asked() {
			return new Asked(new CopyOnWriteArrayList<>());
		}

		@Bean
		@Order(20)
		org.springframework.grpc.server.exception.GrpcExceptionHandler second(Asked asked) {
			return (exception) -> {
				asked.names().add("second");
				if (exception instanceof NegativeArraySizeException) {
					throw new IllegalStateException("broken handler");
				}
				return null;
			};
		}

		@Bean
		@Order(10)
		org.springframework.grpc.server.exception.GrpcExceptionHandler first(Asked asked) {
			return (exception) -> {
				asked.names().add("first");
				return null;
			};
		}

	}

	@GrpcAdvice
	static class Advice {

		@GrpcExceptionHandler
		Status further(IOException ex) {
			return Status.UNAVAILABLE.withDescription("further");
		}

		@GrpcExceptionHandler
		Status nearest(FileNotFoundException ex) {
			return Status.NOT_FOUND.withDescription("nearest");
		}

		@GrpcExceptionHandler(IllegalArgumentException.class)
		private StatusException trailers(IllegalArgumentException ex) {
			return Status.INVALID_ARGUMENT.withDescription(ex.getMessage())
				.asException(ExceptionHandlerTests.trailers());
		}

		@GrpcExceptionHandler
		com.google.rpc.Status details(ArithmeticException ex) {
			return com.google.rpc.Status.newBuilder()
				.setCode(Status.Code.FAILED_PRECONDITION.value())
				.setMessage(ex.getMessage())
				.addDetails(Any.pack(ErrorInfo.newBuilder().setReason("MATHS").build()))
				.build();
		}

		@GrpcExceptionHandler(SecurityException.class)
		Status throwing() {
			throw Status.PERMISSION_DENIED.withDescription("thrown").asRuntimeException();
		}

		@GrpcExceptionHandler
		Status broken(NumberFormatException ex) {
			throw new IllegalStateException("broken advice");
		}

		@GrpcExceptionHandler
		Status accessDenied(AccessDeniedException ex) {
			return Status.NOT_FOUND.withDescription("nothing to see");
		}

		@GrpcExceptionHandler
		StatusException unknown(ClassNotFoundException ex) {
			return Status.UNKNOWN.withDescription("who knows")
				.withCause(ex)
				.asException(ExceptionHandlerTests.trailers());
		}

		@GrpcExceptionHandler
		Status ofStatus(StatusRuntimeException ex) {
			return (ex.getStatus().getCode() == Status.Code.OUT_OF_RANGE)
					? Status.RESOURCE_EXHAUSTED.withDescription("claimed") : null;
		}

	}

	@GrpcService
	static class ThrowingGreeter extends GreeterGrpc.GreeterImplBase {

		@Override
		public StreamObserver<HelloRequest> chat(StreamObserver<HelloResponse> responses) {
			return new StreamObserver<>() {

				@Override
				public void onNext(HelloRequest request) {
					ThrowingService.raise(new FileNotFoundException("f"));
				}

				@Override
				public void onError(Throwable ex) {
					// the call is over
				}

				@Override
				public void onCompleted() {
					responses.onCompleted();
				}

			};
		}

		@Override
		public StreamObserver<HelloRequest> collect(StreamObserver<HelloResponse> responses) {
			ThrowingService.raise(new IOException("f"));
			return null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ThrowingService.class)
	static class HiddenAdvice {

		@Bean
		@GrpcAdvice
		Runnable hiddenAdvice() {
			ProxyFactory proxy = new ProxyFactory(new HandlingRunnable());
			proxy.setInterfaces(Runnable.class);
			return (Runnable) proxy.getProxy();
		}

	}

	static class HandlingRunnable implements Runnable {

		@GrpcExceptionHandler
		public Status handle(IOException ex) {
			return Status.NOT_FOUND;
		}

		@Override
		public void run() {
			// not called
		}

	}

}
