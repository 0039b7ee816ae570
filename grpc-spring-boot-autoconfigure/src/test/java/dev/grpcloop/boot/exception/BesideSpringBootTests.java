package dev.grpcloop.boot.exception;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.Supplier;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.OrdersGrpc;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.ThrowingService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.grpc.server.exception.GrpcExceptionHandlerInterceptor;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Exceptions where Spring Boot's own module asks the handlers.
 */
@BesideSpringBoot
@ExtendWith(OutputCaptureExtension.class)
class BesideSpringBootTests {

	private static ConfigurableApplicationContext context;

	private static GreeterClient client;

	@BeforeAll
	static void start() {
		context = SpringBootApplications.run(Application.class);
		client = GreeterClient.of(context);
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.close();
		context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void handlersCountForMoreThanTheTable(String way) {
		assertThat(fail(way, () -> new IOException("x"))).hasMessage("UNAVAILABLE: later");
		assertThat(fail(way, () -> new AccessDeniedException("x"))).hasMessage("NOT_FOUND: nothing to see");
		assertThat(fail(way, () -> new TaskRejectedException("x"))).hasMessage("RESOURCE_EXHAUSTED: Server overloaded");
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "pass on", "on another thread" })
	void othersAreLoggedOnce(String way, CapturedOutput output) {
		assertThat(fail(way, () -> new IllegalStateException("secret"))).hasMessage("UNKNOWN");
		assertThat(output.toString().split("IllegalStateException: secret")).hasSize(2);
		assertThat(output).contains("test.v1.Farewell/Bye failed, its call ends with UNKNOWN");
	}

	@Test
	void requestsAreValidatedByBothKindsOfRules() {
		assertThat(place(Order.getDefaultInstance())).hasMessageStartingWith("INVALID_ARGUMENT: Invalid request: pay");
		assertThat(place(Order.newBuilder().setCustomerName("Bob").setCash(true).build()))
			.hasMessage("INVALID_ARGUMENT: Invalid request: customer_name: must be Ada");
	}

	@Test
	void theHandlersAreSpringBootsAffair() {
		assertThat(context.getBeanNamesForType(GrpcExceptionHandlerInterceptor.class))
			.containsExactly("grpcGlobalExceptionHandlerInterceptor");
	}

	private static StatusRuntimeException fail(String way, Supplier<? extends Exception> failure) {
		return ThrowingService.fail(context, client.channel(), way, failure);
	}

	private static StatusRuntimeException place(Order order) {
		return catchThrowableOfType(StatusRuntimeException.class,
				() -> OrdersGrpc.newBlockingStub(client.channel()).place(order));
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ ThrowingService.class, Advice.class, ValidatedOrders.class })
	static class Application {

	}

	@GrpcAdvice
	public static class Advice {

		@GrpcExceptionHandler
		public Status later(IOException ex) {
			return Status.UNAVAILABLE.withDescription("later");
		}

		@GrpcExceptionHandler
		public Status accessDenied(AccessDeniedException ex) {
			return Status.NOT_FOUND.withDescription("nothing to see");
		}

	}

	@Validated
	@GrpcService
	public static class ValidatedOrders extends OrdersGrpc.OrdersImplBase {

		@Override
		public void place(@OfAda Order order, StreamObserver<Receipt> responses) {
			responses.onNext(Receipt.getDefaultInstance());
			responses.onCompleted();
		}

	}

	@Constraint(validatedBy = OfAdaValidator.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface OfAda {

		String message() default "must be Ada";

		Class<?>[] groups() default {};

		Class<? extends Payload>[] payload() default {};

	}

	public static class OfAdaValidator implements ConstraintValidator<OfAda, Order> {

		@Override
		public boolean isValid(Order order, ConstraintValidatorContext context) {
			context.disableDefaultConstraintViolation();
			context.buildConstraintViolationWithTemplate(context.getDefaultConstraintMessageTemplate())
				.addPropertyNode("customer_name")
				.addConstraintViolation();
			return order.getCustomerName().equals("Ada");
		}

	}

}
