package dev.grpcloop.boot.exception;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.MarkdownTable;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.testsupport.ThrowingService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.http.HttpStatus;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exceptions that no handler of the application claims.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnclaimedExceptionTests {

	private static final Metadata.Key<String> HINT = Metadata.Key.of("hint", Metadata.ASCII_STRING_MARSHALLER);

	private static ConfigurableApplicationContext context;

	private static GreeterClient client;

	@BeforeAll
	static void start() {
		context = TestApplications.run(ThrowingService.class);
		client = GreeterClient.of(context);
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.close();
		context.close();
	}

	static Stream<Arguments> wellKnown() {
		return Stream.of(Arguments.of(new AccessDeniedException("secret"), "PERMISSION_DENIED: Access denied"),
				Arguments.of(new BadCredentialsException("secret"), "UNAUTHENTICATED: Authentication failed"),
				Arguments.of(new OptimisticLockingFailureException("secret"), "ABORTED: Concurrent change"),
				Arguments.of(new CannotAcquireLockException("secret"), "ABORTED: Concurrent change"),
				Arguments.of(new QueryTimeoutException("secret"),
						"DEADLINE_EXCEEDED: Time limit of the server exceeded"),
				Arguments.of(new TransactionTimedOutException("secret"),
						"DEADLINE_EXCEEDED: Time limit of the server exceeded"),
				Arguments.of(new TransientDataAccessResourceException("secret"), "UNAVAILABLE: Resource not available"),
				Arguments.of(new RecoverableDataAccessException("secret"), "UNAVAILABLE: Resource not available"),
				Arguments.of(new DataAccessResourceFailureException("secret"), "UNAVAILABLE: Resource not available"),
				Arguments.of(new CannotCreateTransactionException("secret"), "UNAVAILABLE: Resource not available"),
				Arguments.of(new TaskRejectedException("secret"), "RESOURCE_EXHAUSTED: Server overloaded"),
				Arguments.of(new InvocationRejectedException("secret", "target"),
						"RESOURCE_EXHAUSTED: Server overloaded"),
				Arguments.of(new ResponseStatusException(HttpStatus.NOT_FOUND, "no such order"),
						"NOT_FOUND: no such order"),
				Arguments.of(new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, "secret"), "INTERNAL"),
				Arguments.of(new OrderIsGone("secret"), "NOT_FOUND: the order is gone"));
	}

	@ParameterizedTest
	@MethodSource("wellKnown")
	void springsOwnHaveAStatusHoweverTheyArrive(Exception exception, String status, CapturedOutput output) {
		for (String way : List.of("throw", "pass on", "on another thread")) {
			StatusRuntimeException told = ThrowingService.fail(context, client.channel(), way, () -> exception);
			assertThat(told).hasMessage(status);
		}
		if (!status.equals("INTERNAL")) {
			assertThat(output).doesNotContain("secret").doesNotContain("\tat ");
		}
	}

	@Test
	void theTableIsTheDocumentedOne() throws IOException {
		assertThat(MarkdownTable.rows("docs/errors.md", "exception").stream().map((row) -> String.join(" ", row)))
			.containsExactlyElementsOf(WellKnownExceptions.statuses()
				.entrySet()
				.stream()
				.map((entry) -> "`" + entry.getKey() + "` `" + entry.getValue().getCode() + "` "
						+ (entry.getValue().getDescription() != null ? entry.getValue().getDescription() : "none"))
				.toList());
	}

	@Test
	void theClassesOfTheTableExist() {
		assertThat(WellKnownExceptions.statuses().keySet())
			.allSatisfy((name) -> assertThat(Class.forName(name)).isAssignableTo(Throwable.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void othersAreUnknownToTheClientAndLoggedOnce(String way, CapturedOutput output) {
		StatusRuntimeException told = ThrowingService.fail(context, client.channel(), way,
				() -> new DuplicateKeyException("secret"));
		assertThat(told).hasMessage("UNKNOWN");
		assertThat(told.getTrailers().keys()).doesNotContain("grpc-status-details-bin");
		assertThat(output.toString().split("DuplicateKeyException: secret")).hasSize(2);
		assertThat(output).contains("ERROR").contains("test.v1.Farewell/Bye failed, its call ends with UNKNOWN");
	}

	@Test
	void whatCarriesAnExceptionOutOfAFutureIsTakenOff() {
		Supplier<Exception> failure = () -> new CompletionException(
				new ExecutionException(new AccessDeniedException("secret")));
		assertThat(ThrowingService.fail(context, client.channel(), "pass on", failure))
			.hasMessage("PERMISSION_DENIED: Access denied");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void aStatusPassesWithItsTrailers(String way, CapturedOutput output) {
		for (Supplier<Exception> failure : List.<Supplier<Exception>>of(
				() -> new StatusRuntimeException(Status.NOT_FOUND.withDescription("no"), trailers()),
				() -> new StatusException(Status.NOT_FOUND.withDescription("no"), trailers()))) {
			StatusRuntimeException told = ThrowingService.fail(context, client.channel(), way, failure);
			assertThat(told).hasMessage("NOT_FOUND: no");
			assertThat(told.getTrailers().getAll(HINT)).containsExactly("look");
		}
		assertThat(output).doesNotContain("ERROR");
	}

	@Test
	void whatTheServiceSaysItselfStays(CapturedOutput output) {
		assertThat(ThrowingService.fail(context, client.channel(), "pass on",
				() -> Status.UNKNOWN.withDescription("who knows")
					.withCause(new AccessDeniedException("secret"))
					.asException()))
			.hasMessage("UNKNOWN: who knows");
		assertThat(output).doesNotContain("ERROR");
	}

	@Test
	void whatIsThrownAfterTheAnswerIsLoggedAndTheAnswerCounts(CapturedOutput output) {
		context.getBean(ThrowingService.class);
		assertThat(ThrowingService.fail(context, client.channel(), "answer and throw",
				() -> new IllegalStateException("too late")))
			.isNull();
		assertThat(FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("answer and throw")))
			.isEqualTo(GreeterService.greeting("all"));
		assertThat(output.toString()).contains("IllegalStateException: too late").doesNotContain("already closed");
	}

	@Test
	void anInterceptorOfTheApplicationMayClaimThem() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(ClaimingInterceptor.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(ThrowingService.fail(context, client.channel(), "pass on",
					() -> new AccessDeniedException("secret")))
				.hasMessage("NOT_FOUND: nothing to see");
		}
	}

	@Test
	void aTranslatorOfTheApplicationIsAskedBeforeTheTable() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(OwnTranslator.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(
					ThrowingService.fail(context, client.channel(), "throw", () -> new AccessDeniedException("secret")))
				.hasMessage("NOT_FOUND: nothing to see");
		}
	}

	@Test
	void theTableNeedsNoneOfTheOptionalModules() throws Exception {
		ClassLoader classes = new FilteredClassLoader("org.springframework.web", "org.springframework.security",
				"jakarta.validation", "build.buf", "io.grpc.protobuf.StatusProto");
		TestApplications.runner().withClassLoader(classes).withBean(ThrowingService.class).run((application) -> {
			assertThat(application).hasNotFailed().doesNotHaveBean(WebExceptions.class);
			try (GreeterClient client = GreeterClient.of(application)) {
				assertThat(ThrowingService.fail(application, client.channel(), "throw",
						() -> new TaskRejectedException("secret")))
					.hasMessage("RESOURCE_EXHAUSTED: Server overloaded");
			}
		});
	}

	private static Metadata trailers() {
		Metadata trailers = new Metadata();
		trailers.put(HINT, "look");
		return trailers;
	}

	@ResponseStatus(code = HttpStatus.GONE, reason = "the order is gone")
	static class OrderIsGone extends RuntimeException {

		OrderIsGone(String message) {
			super(message);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ThrowingService.class)
	static class ClaimingInterceptor {

		@Bean
		@Order(5)
		@GlobalServerInterceptor
		ServerInterceptor claiming() {
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					return next.startCall(new io.grpc.ForwardingServerCall.SimpleForwardingServerCall<>(call) {

						@Override
						public void close(Status status, Metadata trailers) {
							super.close((status.getCause() instanceof AccessDeniedException)
									? Status.NOT_FOUND.withDescription("nothing to see") : status, trailers);
						}

					}, headers);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ThrowingService.class)
	static class OwnTranslator {

		@Bean
		ExceptionTranslator own() {
			return (exception, service,
					method) -> (exception instanceof AccessDeniedException && service.type() == ThrowingService.class
							&& method.getBareMethodName().equals("Bye"))
									? Status.NOT_FOUND.withDescription("nothing to see").asException() : null;
		}

	}

}
