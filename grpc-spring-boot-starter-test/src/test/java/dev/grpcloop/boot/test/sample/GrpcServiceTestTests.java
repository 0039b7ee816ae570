package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.test.autoconfigure.GrpcServiceTest;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.context.MessageSourceAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;

@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class GrpcServiceTestTests {

	@Nested
	@GrpcServiceTest(GreeterService.class)
	class OfOneService {

		@MockitoBean
		private Greetings greetings;

		@Autowired
		private GreeterGrpc.GreeterBlockingStub greeter;

		@Autowired
		private ApplicationContext context;

		@Test
		void theServiceIsCalledWithCollaboratorsOfTheTest() {
			given(this.greetings.greet("Ada")).willReturn("mocked");
			assertThat(this.greeter.hello(Requests.ADA).getMessage()).isEqualTo("mocked");
		}

		@Test
		void otherServicesAreNotLoaded(@Autowired FarewellGrpc.FarewellBlockingStub farewell) {
			assertThat(this.context.getBeansOfType(FarewellController.class)).isEmpty();
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> farewell.bye(Requests.ADA))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
		}

		@Test
		void globalInterceptorsAreLoaded(@Autowired CallLog log) {
			given(this.greetings.greet("Ada")).willReturn("mocked");
			log.methods().clear();
			this.greeter.hello(Requests.ADA);
			assertThat(log.methods()).containsExactly("Hello");
		}

		@Test
		void adviceIsLoaded() {
			given(this.greetings.greet("Ada")).willThrow(new IllegalArgumentException("Ada is not there"));
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> this.greeter.hello(Requests.ADA))
				.satisfies((ex) -> {
					assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
					assertThat(ex.getStatus().getDescription()).isEqualTo("Ada is not there");
				});
		}

		@Test
		void noPortIsBound(@Autowired Environment environment) {
			assertThat(this.context.getBean(GrpcServerLifecycle.class).getPort()).isEqualTo(-1);
			assertThat(environment.getProperty("local.grpc.server.port")).isNull();
		}

	}

	@Nested
	@GrpcServiceTest
	@Import(Greetings.class)
	class OfAllServices {

		@Test
		void allAreLoadedAndNothingElse(@Autowired ApplicationContext context,
				@Autowired GreeterGrpc.GreeterBlockingStub greeter,
				@Autowired FarewellGrpc.FarewellBlockingStub farewell) {
			assertThat(context.getBeansOfType(BindableService.class)).hasSizeGreaterThanOrEqualTo(2);
			assertThat(greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
			assertThat(farewell.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
		}

	}

	@Nested
	@GrpcServiceTest(FarewellController.class)
	class OfOneController {

		@Test
		void itIsCalledAndOtherServicesAreNotLoaded(@Autowired FarewellGrpc.FarewellBlockingStub farewell,
				@Autowired ApplicationContext context) {
			assertThat(farewell.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
			assertThat(context.getBeansOfType(GreeterService.class)).isEmpty();
		}

	}

	@Nested
	@GrpcServiceTest(GreeterGrpc.GreeterImplBase.class)
	class OfAServiceByItsGeneratedClass {

		@MockitoBean
		private Greetings greetings;

		@Test
		void whatExtendsItIsLoaded(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(GreeterService.class)).hasSize(1);
			assertThat(context.getBeansOfType(FarewellController.class)).isEmpty();
		}

	}

	@Nested
	@GrpcServiceTest(services = GreeterService.class, properties = "test.answer=42",
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Greetings.class),
			excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = CallLog.class),
			excludeAutoConfiguration = MessageSourceAutoConfiguration.class)
	class WithFilters {

		@Test
		void componentsCanBeAddedAndRemoved(@Autowired ApplicationContext context,
				@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			assertThat(greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
			assertThat(context.getBeansOfType(CallLog.class)).isEmpty();
		}

		@Test
		void autoConfigurationsCanBeRemoved(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(MessageSourceAutoConfiguration.class)).isEmpty();
			assertThat(context.getBeansOfType(GrpcLoopServerAutoConfiguration.class)).hasSize(1);
		}

		@Test
		void propertiesCanBeSet(@Autowired Environment environment) {
			assertThat(environment.getProperty("test.answer")).isEqualTo("42");
		}

	}

	@Nested
	@GrpcServiceTest(useDefaultFilters = false,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = FarewellController.class))
	class WithoutDefaultFilters {

		@Test
		void onlyWhatIsIncludedIsLoaded(@Autowired ApplicationContext context) {
			assertThat(context.getBeansOfType(FarewellController.class)).hasSize(1);
			assertThat(context.getBeansOfType(GreeterService.class)).isEmpty();
			assertThat(context.getBeansOfType(CallLog.class)).isEmpty();
		}

	}

}
