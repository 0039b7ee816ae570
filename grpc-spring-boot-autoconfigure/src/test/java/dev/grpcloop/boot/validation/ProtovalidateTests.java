package dev.grpcloop.boot.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import build.buf.protovalidate.Validator;
import dev.grpcloop.boot.test.orders.v1.Address;
import dev.grpcloop.boot.test.orders.v1.Basket;
import dev.grpcloop.boot.test.orders.v1.Item;
import dev.grpcloop.boot.test.orders.v1.MistakesGrpc;
import dev.grpcloop.boot.test.orders.v1.Order;
import dev.grpcloop.boot.test.orders.v1.OrdersGrpc;
import dev.grpcloop.boot.test.orders.v1.Quotient;
import dev.grpcloop.boot.test.orders.v1.QuotientsGrpc;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Requests and the rules of their {@code .proto} files.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProtovalidateTests {

	private static ConfigurableApplicationContext context;

	private static GreeterClient client;

	@BeforeAll
	static void start() {
		context = TestApplications.builder(OrdersService.class).sources(Quotients.class, GreeterService.class).run();
		client = GreeterClient.of(context);
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.close();
		context.close();
	}

	@BeforeEach
	void forget() {
		context.getBean(OrdersService.class).seen.clear();
		context.getBean(OrdersService.class).streams.clear();
	}

	@Test
	void aValidRequestReachesTheService() {
		assertThat(orders().place(order().build()).getOrders()).isEqualTo(1);
		assertThat(seen()).containsExactly(order().build());
	}

	@Test
	void anInvalidRequestDoesNotAndTheClientLearnsEveryField(CapturedOutput output) {
		Order order = order().setCustomerName("")
			.setAddress(Address.getDefaultInstance())
			.addItems(item(1))
			.addItems(item(1))
			.addItems(item(0))
			.putLabels("x", "long")
			.putByNumber(-1L, item(0))
			.clearPayment()
			.build();
		Throwable told = catchThrowable(() -> orders().place(order));
		assertThat(BadRequests.of(told)).containsExactly("payment (REQUIRED) exactly one field is required in oneof",
				"customer_name (STRING_MIN_LEN) must be at least 1 characters",
				"address.street_name (STRING_MIN_LEN) must be at least 1 characters",
				"items[2].unit_price (INT32_GT) must be greater than 0",
				"labels[\"x\"] (STRING_MAX_LEN) must be at most 3 characters",
				"by_number[18446744073709551615].unit_price (INT32_GT) must be greater than 0");
		assertThat(told).hasMessageStartingWith(
				"INVALID_ARGUMENT: Invalid request: payment: exactly one field is required in oneof; customer_name: ");
		assertThat(seen()).isEmpty();
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void aRuleOfTheWholeMessageHasNoField() {
		Order order = order().setSender(order().getCustomerName()).build();
		assertThat(BadRequests.of(catchThrowable(() -> orders().place(order))))
			.containsExactly(" (ORDER_NOT_TO_SELF) customer and sender must not be the same");
	}

	@Test
	void manyViolationsStillFitIntoTheTrailersThatClientsTake() {
		Order.Builder order = order();
		IntStream.range(0, 5000).forEach((i) -> order.addItems(item(0)));
		order.putLabels("k".repeat(100_000), "long");
		Throwable told = catchThrowable(() -> orders().place(order.build()));
		assertThat(BadRequests.of(told)).hasSizeBetween(10, 200)
			.startsWith("items[0].unit_price (INT32_GT) must be greater than 0");
		assertThat(told).hasMessageMatching("(?s).*; and 49\\d\\d more");
	}

	@Test
	void aServerStreamIsNotBegun() {
		assertThat(BadRequests
			.of(catchThrowable(() -> orders().track(Order.getDefaultInstance()).forEachRemaining((receipt) -> {
			})))).hasSize(2);
		assertThat(seen()).isEmpty();
		List<Integer> receipts = new ArrayList<>();
		orders().track(order().build()).forEachRemaining((receipt) -> receipts.add(receipt.getOrders()));
		assertThat(receipts).containsExactly(1, 2);
	}

	@Test
	void everyMessageOfAStreamIsValidated() throws Exception {
		Order valid = order().build();
		assertThat(
				stream(OrdersGrpc.newStub(client.channel())::placeAll, valid, valid, valid).get(20, TimeUnit.SECONDS))
			.containsExactly(3);
		forget();
		Throwable told = failure(stream(OrdersGrpc.newStub(client.channel())::placeAll, valid,
				order().setCustomerName("").build(), valid));
		assertThat(BadRequests.of(told))
			.containsExactly("customer_name (STRING_MIN_LEN) must be at least 1 characters");
		assertThat(seen()).containsExactly(valid);
	}

	@Test
	void anInvalidMessageEndsADialogueAndItsServiceHearsOfACancellation() {
		Order valid = order().build();
		Throwable told = failure(
				stream(OrdersGrpc.newStub(client.channel())::discuss, valid, order().setCustomerName("").build()));
		assertThat(BadRequests.of(told))
			.containsExactly("customer_name (STRING_MIN_LEN) must be at least 1 characters");
		assertThat(seen()).containsExactly(valid);
		assertThat(context.getBean(OrdersService.class).streams).singleElement()
			.satisfies((stream) -> assertThat(stream.get(20, TimeUnit.SECONDS)).hasMessageStartingWith("CANCELLED"));
	}

	@Test
	void aRuleThatCannotBeAppliedIsTheServersFault(CapturedOutput output) {
		QuotientsGrpc.QuotientsBlockingStub stub = QuotientsGrpc.newBlockingStub(client.channel());
		assertThat(BadRequests.of(catchThrowable(() -> stub.divide(quotient(3, 2)))))
			.containsExactly(" (QUOTIENT_WHOLE) must be a whole number");
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> stub.divide(quotient(1, 0)))
			.withMessage("UNKNOWN");
		assertThat(output).contains("orders.v1.Quotients/Divide failed")
			.contains("rules of message orders.v1.Quotient cannot be applied");
	}

	@Test
	void rulesThatCannotBeCompiledStopTheStart() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> TestApplications.run(Mistakes.class))
			.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(FailureAnalyzedException.class.getName()))
			.withStackTraceContaining("The protovalidate rules of message orders.v1.Basket (orders.proto), which "
					+ "orders.v1.Mistakes/Make takes, cannot be compiled");
	}

	@Test
	void servicesWhoseRequestsHaveNoRulesAreLeftAlone() {
		TestApplications.runner().withBean(GreeterService.class).run((application) -> {
			assertThat(application.getBeanFactory().containsSingleton("grpcLoopProtovalidateValidator")).isFalse();
			assertThat(ProtoRuleOptions.in(HelloRequest.getDescriptor())).isFalse();
		});
		assertThat(ProtoRuleOptions.in(Receipt.getDescriptor())).isFalse();
		assertThat(ProtoRuleOptions.in(Address.getDescriptor())).isTrue();
		assertThat(ProtoRuleOptions.in(Basket.getDescriptor())).isTrue();
	}

	@Test
	void canBeSwitchedOff() {
		TestApplications.runner()
			.withPropertyValues("grpc.server.validation.enabled=false")
			.withBean(OrdersService.class)
			.run(ProtovalidateTests::takesEverything);
	}

	@Test
	void needsTheLibrary() {
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("build.buf.protovalidate"))
			.withBean(OrdersService.class)
			.run(ProtovalidateTests::takesEverything);
	}

	@Test
	void anInvalidRequestNeedsNoJakartaValidation() {
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("jakarta.validation", "org.hibernate",
					"org.springframework.boot.validation"))
			.withBean(OrdersService.class)
			.run((application) -> {
				assertThat(application).hasNotFailed();
				try (GreeterClient client = GreeterClient.of(application)) {
					assertThat(BadRequests.of(catchThrowable(
							() -> OrdersGrpc.newBlockingStub(client.channel()).place(Order.getDefaultInstance()))))
						.hasSize(2);
				}
			});
	}

	@Test
	void aValidatorOfTheApplicationIsUsed() {
		build.buf.protovalidate.Config failFast = build.buf.protovalidate.Config.newBuilder().setFailFast(true).build();
		TestApplications.runner()
			.withBean(Validator.class,
					() -> build.buf.protovalidate.ValidatorFactory.newBuilder().withConfig(failFast).build())
			.withBean(OrdersService.class)
			.run((application) -> {
				try (GreeterClient client = GreeterClient.of(application)) {
					assertThat(BadRequests.of(catchThrowable(
							() -> OrdersGrpc.newBlockingStub(client.channel()).place(Order.getDefaultInstance()))))
						.hasSize(1);
				}
			});
	}

	private static void takesEverything(
			org.springframework.boot.test.context.assertj.AssertableApplicationContext application) throws Exception {
		assertThat(application).hasNotFailed();
		try (GreeterClient client = GreeterClient.of(application)) {
			assertThat(OrdersGrpc.newBlockingStub(client.channel()).place(Order.getDefaultInstance()).getOrders())
				.isEqualTo(1);
		}
	}

	private static CompletableFuture<List<Integer>> stream(
			Function<StreamObserver<Receipt>, StreamObserver<Order>> call, Order... orders) {
		CompletableFuture<List<Integer>> end = new CompletableFuture<>();
		List<Integer> receipts = new ArrayList<>();
		StreamObserver<Order> requests = call.apply(new StreamObserver<>() {

			@Override
			public void onNext(Receipt receipt) {
				receipts.add(receipt.getOrders());
			}

			@Override
			public void onError(Throwable ex) {
				end.completeExceptionally(ex);
			}

			@Override
			public void onCompleted() {
				end.complete(receipts);
			}

		});
		for (Order order : orders) {
			requests.onNext(order);
		}
		if (orders.length == 3) {
			requests.onCompleted();
		}
		return end;
	}

	private static Throwable failure(CompletableFuture<?> end) {
		Throwable failure = catchThrowable(() -> end.get(20, TimeUnit.SECONDS));
		return failure.getCause();
	}

	private static List<Order> seen() {
		return context.getBean(OrdersService.class).seen;
	}

	private static OrdersGrpc.OrdersBlockingStub orders() {
		return OrdersGrpc.newBlockingStub(client.channel()).withDeadlineAfter(20, TimeUnit.SECONDS);
	}

	private static Order.Builder order() {
		return Order.newBuilder().setCustomerName("Ada").setSender("Bob").setCash(true);
	}

	private static Item item(int price) {
		return Item.newBuilder().setUnitPrice(price).build();
	}

	private static Quotient quotient(int dividend, int divisor) {
		return Quotient.newBuilder().setDividend(dividend).setDivisor(divisor).build();
	}

	@GrpcService
	static class Quotients extends QuotientsGrpc.QuotientsImplBase {

		@Override
		public void divide(Quotient quotient, StreamObserver<Receipt> responses) {
			responses.onNext(Receipt.getDefaultInstance());
			responses.onCompleted();
		}

	}

	@GrpcService
	static class Mistakes extends MistakesGrpc.MistakesImplBase {

	}

}
