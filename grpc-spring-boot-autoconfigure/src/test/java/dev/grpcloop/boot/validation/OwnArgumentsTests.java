package dev.grpcloop.boot.validation;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.OrdersGrpc;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import dev.grpcloop.boot.test.orders.v1.Ticket;
import dev.grpcloop.boot.test.orders.v1.TicketsGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.validation.PassengerService.KnownPassenger;
import dev.grpcloop.boot.validation.PassengerService.Passengers;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Violated constraints that reach the end of a call as an exception.
 */
@ExtendWith(OutputCaptureExtension.class)
class OwnArgumentsTests {

	private static final String ADAPT = "spring.validation.method.adapt-constraint-violations=";

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	void thoseOfTheCalledMethodAreTheClientsDoing(String adapt, CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class, ADAPT + adapt);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(BadRequests.of(catchThrowable(() -> buy(client, "Bob"))))
				.containsExactly("passenger_name (KNOWN_PASSENGER) must be known");
		}
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	void thoseOfWhatTheServiceCallsAreNot(String adapt, CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class, ADAPT + adapt);
				GreeterClient client = GreeterClient.of(context)) {
			for (String way : new String[] { "repository", "another service", "by hand", "result" }) {
				StatusRuntimeException told = catchThrowableOfType(StatusRuntimeException.class,
						() -> OrdersGrpc.newBlockingStub(client.channel())
							.place(Order.newBuilder().setCustomerName(way).setCash(true).build()));
				assertThat(told).as(way).hasMessage("INTERNAL");
				assertThat(told.getTrailers().keys()).as(way).doesNotContain("grpc-status-details-bin");
			}
		}
		assertThat(output.toString().split("orders.v1.Orders/Place failed, its call ends with INTERNAL")).hasSize(5);
	}

	private static Receipt buy(GreeterClient client, String passenger) {
		return TicketsGrpc.newBlockingStub(client.channel())
			.withDeadlineAfter(20, TimeUnit.SECONDS)
			.buy(Ticket.newBuilder().setPassengerName(passenger).build());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ValidationAutoConfiguration.class)
	@Import({ Passengers.class, Tickets.class, Orders.class, Repository.class })
	static class Application {

	}

	@Validated
	public static class Repository {

		public void save(@Size(max = 3) String name) {
			// saved
		}

		public @NotNull String find() {
			return null;
		}

	}

	@Validated
	@GrpcService
	public static class Tickets extends TicketsGrpc.TicketsImplBase {

		@Override
		public void buy(@KnownPassenger Ticket ticket, StreamObserver<Receipt> responses) {
			responses.onNext(Receipt.getDefaultInstance());
			responses.onCompleted();
		}

	}

	@GrpcService
	static class Orders extends OrdersGrpc.OrdersImplBase {

		private final Repository repository;

		private final Tickets tickets;

		private final Validator validator;

		Orders(Repository repository, Tickets tickets, Validator validator) {
			this.repository = repository;
			this.tickets = tickets;
			this.validator = validator;
		}

		@Override
		public void place(Order order, StreamObserver<Receipt> responses) {
			switch (order.getCustomerName()) {
				case "repository" -> this.repository.save("too long");
				case "another service" ->
					this.tickets.buy(Ticket.newBuilder().setPassengerName("Bob").build(), responses);
				case "by hand" -> throw new ConstraintViolationException(this.validator.validate(new Address("")));
				default -> this.repository.find();
			}
		}

	}

	record Address(@Size(min = 1) String street) {
	}

}
