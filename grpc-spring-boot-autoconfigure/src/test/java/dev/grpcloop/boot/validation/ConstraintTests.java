package dev.grpcloop.boot.validation;

import java.io.ByteArrayInputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.service.ServiceDetails;
import dev.grpcloop.boot.test.orders.v1.Receipt;
import dev.grpcloop.boot.test.orders.v1.Stop;
import dev.grpcloop.boot.test.orders.v1.Ticket;
import dev.grpcloop.boot.test.orders.v1.TicketsGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.validation.PassengerService.KnownPassenger;
import dev.grpcloop.boot.validation.PassengerService.Passengers;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraintvalidation.SupportedValidationTarget;
import jakarta.validation.constraintvalidation.ValidationTarget;
import jakarta.validation.constraints.NotNull;
import org.hibernate.validator.HibernateValidatorConfiguration;
import org.hibernate.validator.cfg.ConstraintMapping;
import org.hibernate.validator.cfg.defs.MaxDef;
import org.hibernate.validator.cfg.defs.NotBlankDef;
import org.hibernate.validator.cfg.defs.PositiveDef;
import org.hibernate.validator.cfg.defs.SizeDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Requests and constraints of Jakarta Validation.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConstraintTests {

	@Test
	void aValidatorThatIsABeanDecidesOnAParameter(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(PassengerService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			tickets(client).buy(ticket("Ada").build());
			Throwable told = catchThrowable(() -> tickets(client).buy(ticket("Bob").build()));
			assertThat(BadRequests.of(told)).containsExactly("passenger_name (KNOWN_PASSENGER) must be known");
			assertThat(told).hasMessage("INVALID_ARGUMENT: Invalid request: passenger_name: must be known");
			assertThat(context.getBean(PassengerService.class).sold).containsExactly(ticket("Ada").build());
			assertThat(context.getBean(Passengers.class).asked).hasValue(2);
		}
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void aServiceThatSpringValidatesIsValidatedOnce(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(ValidatedPassengerService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			tickets(client).buy(ticket("Ada").build());
			Throwable told = catchThrowable(() -> tickets(client).buy(ticket("Bob").build()));
			assertThat(BadRequests.of(told)).containsExactly("passenger_name (KNOWN_PASSENGER) must be known");
			assertThat(context.getBean(Passengers.class).asked).hasValue(2);
		}
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@ValueSource(classes = { PlainPassengers.class, ValidatedPlainPassengers.class })
	void plainMethodsAreValidatedOnce(Class<?> controller, CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(controller)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			tickets(client).buy(ticket("Ada").build());
			Throwable told = catchThrowable(() -> tickets(client).buy(ticket("Bob").build()));
			assertThat(BadRequests.of(told)).containsExactly("passenger_name (KNOWN_PASSENGER) must be known");
			assertThat(context.getBean(Passengers.class).asked).hasValue(2);
		}
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void aValidatorThatThrowsIsTheServersFault(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(PassengerService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			assertThatExceptionOfType(StatusRuntimeException.class)
				.isThrownBy(() -> tickets(client).buy(ticket("broken").build()))
				.withMessage("UNKNOWN");
		}
		assertThat(output).contains("orders.v1.Tickets/Buy failed").contains("broken validator");
	}

	@Test
	void mappingsOnGettersAreNamedByTheirFields() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(GetterMapping.class, CascadingService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			Ticket ticket = Ticket.newBuilder()
				.setFrom(Stop.getDefaultInstance())
				.addStopsOnWay(stop("A", 1))
				.addStopsOnWay(stop("B", 0))
				.addAllStopsOnWay(Collections.nCopies(9, stop("C", 0)))
				.putByLine("S1", stop("", 1))
				.addRemarks("x")
				.setKindValue(7)
				.setPhoto(ByteString.copyFromUtf8("x"))
				.build();
			assertThat(BadRequests.of(catchThrowable(() -> tickets(client).buy(ticket)))).containsExactly(
					"by_line[\"S1\"].station_name (NOT_BLANK) must not be blank",
					"from.platform (POSITIVE) must be greater than 0",
					"from.station_name (NOT_BLANK) must not be blank", "kind (MAX) must be less than or equal to 1",
					"line2_name (NOT_BLANK) must not be blank", "passenger_name (NOT_BLANK) must not be blank",
					"remarks (SIZE) size must be between 0 and 0",
					"stops_on_way[1].platform (POSITIVE) must be greater than 0",
					"stops_on_way[2].platform (POSITIVE) must be greater than 0",
					"stops_on_way[3].platform (POSITIVE) must be greater than 0",
					"stops_on_way[4].platform (POSITIVE) must be greater than 0",
					"stops_on_way[5].platform (POSITIVE) must be greater than 0",
					"stops_on_way[6].platform (POSITIVE) must be greater than 0",
					"stops_on_way[7].platform (POSITIVE) must be greater than 0",
					"stops_on_way[8].platform (POSITIVE) must be greater than 0",
					"stops_on_way[9].platform (POSITIVE) must be greater than 0",
					"stops_on_way[10].platform (POSITIVE) must be greater than 0", "x_y (NOT_BLANK) must not be blank");
		}
	}

	@Test
	void aMappingInXmlCountsForStreamsAndWithoutAnAnnotation() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(XmlMapping.class, PlainService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			assertThat(BadRequests.of(catchThrowable(() -> tickets(client).buy(Ticket.getDefaultInstance()))))
				.containsExactly("passenger_name (NOT_BLANK) must not be blank");
			CompletableFuture<Receipt> end = new CompletableFuture<>();
			StreamObserver<Ticket> requests = TicketsGrpc.newStub(client.channel()).buyAll(new StreamObserver<>() {

				@Override
				public void onNext(Receipt receipt) {
					end.complete(receipt);
				}

				@Override
				public void onError(Throwable ex) {
					end.completeExceptionally(ex);
				}

				@Override
				public void onCompleted() {
					// the answer was the message
				}

			});
			requests.onNext(ticket("Ada").build());
			requests.onNext(ticket(" ").build());
			assertThat(BadRequests.of(catchThrowable(() -> end.get(20, TimeUnit.SECONDS)).getCause()))
				.containsExactly("passenger_name (NOT_BLANK) must not be blank");
		}
	}

	@Test
	void groupsAreThoseOfTheMethodOrOfItsClass() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.builder(SpringBootsValidator.class)
			.sources(GroupedMapping.class, GroupedService.class)
			.run(); GreeterClient client = GreeterClient.of(context)) {
			assertThat(BadRequests.of(catchThrowable(() -> tickets(client).buy(Ticket.getDefaultInstance()))))
				.containsExactly("line2_name (NOT_BLANK) must not be blank");
		}
	}

	@Test
	void canBeSwitchedOff() {
		TestApplications.runner()
			.withPropertyValues("grpc.server.validation.enabled=false")
			.withUserConfiguration(SpringBootsValidator.class, PassengerService.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RequestValidation.class)
					.doesNotHaveBean("grpcLoopValidationConfigurationCustomizer");
				sellsTo(context, "Bob");
			});
	}

	@Test
	void needsAValidatorThatSpringBootMayButNeedNotMake() {
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.validation.autoconfigure"))
			.withUserConfiguration(PassengerService.class, Passengers.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Validator.class);
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(BadRequests.of(catchThrowable(() -> tickets(client).buy(ticket("Bob").build()))))
						.containsExactly("passenger_name (KNOWN_PASSENGER) must be known");
				}
			});
	}

	@Test
	void isAbsentWithoutTheSpecification() {
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("jakarta.validation", "org.hibernate.validator",
					"org.springframework.boot.validation"))
			.withUserConfiguration(PlainService.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("grpcLoopConstraintRules");
				sellsTo(context, "Bob");
			});
	}

	@Test
	void aValidatorThatForbidsConstraintsOnOverridingMethodsStopsTheStart() {
		TestApplications.runner()
			.withUserConfiguration(StrictValidator.class, PassengerService.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure())
					.hasStackTraceContaining(FailureAnalyzedException.class.getName())
					.hasStackTraceContaining("The Validator cannot apply the constraints of 'passengerService'")
					.hasStackTraceContaining("HV000151");
			});
	}

	@Test
	void aConstraintOnAllParametersTogetherStopsTheStart() {
		TestApplications.runner()
			.withUserConfiguration(SpringBootsValidator.class, CrossParameterService.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure()).hasStackTraceContaining("Method 'buy' of ")
					.hasStackTraceContaining("has a constraint on its parameters together");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { PlainService.class, CascadingService.class })
	void servicesWithoutConstraintsAreLeftAlone(Class<?> service) {
		TestApplications.runner().withUserConfiguration(SpringBootsValidator.class, service).run((context) -> {
			RequestRules rules = context.getBean(ConstraintRules.class);
			ServiceDetails details = new ServiceDetails("service", service,
					context.getBean(TicketsGrpc.TicketsImplBase.class), TicketsGrpc.getServiceDescriptor(),
					Map.of(TicketsGrpc.getBuyMethod().getFullMethodName(),
							service.getMethod("buy", Ticket.class, StreamObserver.class)));
			assertThat(rules.validatorOf(details, TicketsGrpc.getBuyMethod())).isNull();
		});
	}

	private static void sellsTo(AssertableApplicationContext context, String passenger) throws Exception {
		try (GreeterClient client = GreeterClient.of(context)) {
			assertThat(tickets(client).buy(ticket(passenger).build())).isNotNull();
		}
	}

	private static TicketsGrpc.TicketsBlockingStub tickets(GreeterClient client) {
		return TicketsGrpc.newBlockingStub(client.channel()).withDeadlineAfter(20, TimeUnit.SECONDS);
	}

	private static Ticket.Builder ticket(String passenger) {
		return Ticket.newBuilder().setPassengerName(passenger);
	}

	private static Stop stop(String name, int platform) {
		return Stop.newBuilder().setStationName(name).setPlatform(platform).build();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ValidationAutoConfiguration.class)
	@Import(Passengers.class)
	static class SpringBootsValidator {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Passengers.class)
	static class StrictValidator {

		@Bean
		Validator strictValidator() {
			return Validation.buildDefaultValidatorFactory().getValidator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class GetterMapping {

		@Bean
		ValidationConfigurationCustomizer getterMapping() {
			return (configuration) -> {
				ConstraintMapping mapping = ((HibernateValidatorConfiguration) configuration).createConstraintMapping();
				mapping.type(Ticket.class)
					.getter("passengerName")
					.constraint(new NotBlankDef())
					.getter("from")
					.valid()
					.getter("stopsOnWayList")
					.containerElementType()
					.valid()
					.getter("byLineMap")
					.containerElementType(1)
					.valid()
					.getter("remarksList")
					.constraint(new SizeDef().max(0))
					.getter("kindValue")
					.constraint(new MaxDef().value(1))
					.getter("line2Name")
					.constraint(new NotBlankDef())
					.getter("XY")
					.constraint(new NotBlankDef());
				mapping.type(Stop.class)
					.getter("stationName")
					.constraint(new NotBlankDef())
					.getter("platform")
					.constraint(new PositiveDef());
				((HibernateValidatorConfiguration) configuration).addMapping(mapping);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class XmlMapping {

		private static final String XML = """
				<constraint-mappings xmlns="https://jakarta.ee/xml/ns/validation/mapping" version="3.0">
				  <bean class="dev.grpcloop.boot.test.orders.v1.Ticket" ignore-annotations="false">
				    <getter name="passengerName">
				      <constraint annotation="jakarta.validation.constraints.NotBlank"/>
				    </getter>
				  </bean>
				</constraint-mappings>
				""";

		@Bean
		ValidationConfigurationCustomizer xmlMapping() {
			return (configuration) -> configuration
				.addMapping(new ByteArrayInputStream(XML.getBytes(StandardCharsets.UTF_8)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class GroupedMapping {

		@Bean
		ValidationConfigurationCustomizer groupedMapping() {
			return (configuration) -> {
				ConstraintMapping mapping = ((HibernateValidatorConfiguration) configuration).createConstraintMapping();
				mapping.type(Ticket.class)
					.getter("passengerName")
					.constraint(new NotBlankDef())
					.getter("line2Name")
					.constraint(new NotBlankDef().groups(Runnable.class));
				((HibernateValidatorConfiguration) configuration).addMapping(mapping);
			};
		}

	}

	@Validated
	public static class ValidatedPassengerService extends PassengerService {

	}

	@GrpcController(TicketsGrpc.class)
	public static class PlainPassengers {

		public Receipt buy(@NotNull Metadata headers, @KnownPassenger Ticket ticket) {
			return Receipt.getDefaultInstance();
		}

	}

	@Validated
	@GrpcController(TicketsGrpc.class)
	public static class ValidatedPlainPassengers {

		public Receipt buy(@NotNull Metadata headers, @KnownPassenger Ticket ticket) {
			return Receipt.getDefaultInstance();
		}

	}

	@GrpcService
	static class PlainService extends TicketsGrpc.TicketsImplBase {

		@Override
		public void buy(Ticket ticket, StreamObserver<Receipt> responses) {
			responses.onNext(Receipt.getDefaultInstance());
			responses.onCompleted();
		}

		@Override
		public StreamObserver<Ticket> buyAll(StreamObserver<Receipt> responses) {
			return new StreamObserver<>() {

				@Override
				public void onNext(Ticket ticket) {
					// sold
				}

				@Override
				public void onError(Throwable ex) {
					// nobody is left to answer
				}

				@Override
				public void onCompleted() {
					responses.onNext(Receipt.getDefaultInstance());
					responses.onCompleted();
				}

			};
		}

	}

	@GrpcService
	static class CascadingService extends PlainService {

		@Override
		public void buy(@Valid Ticket ticket, StreamObserver<Receipt> responses) {
			super.buy(ticket, responses);
		}

	}

	@GrpcService
	static class GroupedService extends PlainService {

		@Override
		@Validated(Runnable.class)
		public void buy(@Valid Ticket ticket, StreamObserver<Receipt> responses) {
			super.buy(ticket, responses);
		}

	}

	@GrpcService
	static class CrossParameterService extends PlainService {

		@Override
		@Together
		public void buy(Ticket ticket, StreamObserver<Receipt> responses) {
			super.buy(ticket, responses);
		}

	}

	@Constraint(validatedBy = TogetherValidator.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Together {

		String message() default "must fit";

		Class<?>[] groups() default {};

		Class<? extends Payload>[] payload() default {};

	}

	@SupportedValidationTarget(ValidationTarget.PARAMETERS)
	static class TogetherValidator implements ConstraintValidator<Together, Object[]> {

		@Override
		public boolean isValid(Object[] parameters, ConstraintValidatorContext context) {
			return true;
		}

	}

}
