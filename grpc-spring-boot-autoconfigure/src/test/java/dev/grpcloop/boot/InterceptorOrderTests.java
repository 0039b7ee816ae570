package dev.grpcloop.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

import dev.grpcloop.boot.service.ServiceDetails;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.CallTrace;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.testsupport.TracingInterceptor;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import jakarta.annotation.Priority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which interceptors a call goes through, in which order. Case B49.
 */
class InterceptorOrderTests {

	private final ApplicationContextRunner runner = TestApplications.runner().withBean(CallTrace.class);

	@Test
	void theOrderCountsHoweverItIsDeclared() {
		this.runner.withUserConfiguration(Globals.class, Plain.class)
			.run((context) -> assertThat(traceOf(context))
				.isEqualTo("priority-ordered method ordered class priority none"));
	}

	@Test
	@BesideSpringBoot
	void theOrderIsTheSameInThePlaceOfSpringBootsServer() {
		SpringBootApplications.runner()
			.withBean(CallTrace.class)
			.withUserConfiguration(Globals.class, Plain.class)
			.run((context) -> assertThat(traceOf(context))
				.isEqualTo("priority-ordered method ordered class priority none"));
	}

	@Test
	void globalInterceptorsOfAncestorsAreAmongTheOthers() {
		new ApplicationContextRunner().withBean(CallTrace.class)
			.withUserConfiguration(Globals.class)
			.run((parent) -> TestApplications.runner()
				.withParent(parent)
				.withUserConfiguration(Plain.class, Local.class)
				.run((context) -> assertThat(traceOf(context))
					.isEqualTo("priority-ordered method local ordered class priority none")));
	}

	@Test
	void listedOnesRunInsideAsListedFirstTypesThenNames() {
		this.runner.withUserConfiguration(Globals.class, Listed.class, Listing.class)
			.run((context) -> assertThat(traceOf(context))
				.isEqualTo("priority-ordered method ordered class priority none type-b type-a name-2 name-1"));
	}

	@Test
	void blendedOnesAreSortedAmongTheGlobalOnes() {
		this.runner.withUserConfiguration(Globals.class, Listed.class, Blending.class)
			.run((context) -> assertThat(traceOf(context))
				.isEqualTo("priority-ordered name-1 method type-a name-2 ordered class priority type-b none"));
	}

	@Test
	void anAncestorsServiceMayListInterceptors() {
		new ApplicationContextRunner().withBean(CallTrace.class)
			.withUserConfiguration(Listed.class, Listing.class)
			.run((parent) -> TestApplications.runner()
				.withParent(parent)
				.run((context) -> assertThat(traceOf(context)).isEqualTo("type-b type-a name-2 name-1")));
	}

	@Test
	void noBeanRunsTwice() {
		this.runner.withUserConfiguration(Globals.class, Listed.class, Repeating.class)
			.run((context) -> assertThat(traceOf(context))
				.isEqualTo("priority-ordered method ordered class priority none type-a"));
	}

	@Test
	void filtersKeepGlobalOnesOutUnlessTheyAreListed() {
		this.runner.withUserConfiguration(Globals.class, Listed.class, Repeating.class)
			.withBean(ServerInterceptorFilter.class,
					() -> (interceptor,
							service) -> service.getServiceDescriptor().getName().equals(GreeterGrpc.SERVICE_NAME))
			.run((context) -> assertThat(traceOf(context)).isEqualTo("ordered type-a method"));
	}

	@Test
	void contributorsAreOutsideAndInsideOfAllOthers() {
		this.runner.withUserConfiguration(Globals.class, Listed.class, Blending.class, Contributors.class)
			.run((context) -> assertThat(traceOf(context)).isEqualTo("outermost-1 outermost-2 priority-ordered name-1 "
					+ "method type-a name-2 ordered class priority type-b none innermost-1 innermost-2"));
	}

	@Test
	void contributorsKnowTheService() {
		this.runner.withUserConfiguration(Listed.class, Listing.class, Contributors.class).run((context) -> {
			ServiceDetails service = context.getBean(Contributors.class).asked.stream()
				.filter((details) -> details.descriptor().getName().equals(FarewellGrpc.SERVICE_NAME))
				.findFirst()
				.orElseThrow();
			assertThat(context.getBean(service.beanName())).isSameAs(service.service());
			assertThat(service.type()).isEqualTo(Listing.class);
			assertThat(service.methods()).containsOnlyKeys("test.v1.Farewell/Bye")
				.containsValue(Listing.class.getMethod("bye", HelloRequest.class, StreamObserver.class));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "broken", "intercepted" })
	void theOutermostOneSeesWhatTheServiceAndOtherInterceptorsThrow(String name) {
		this.runner.withUserConfiguration(Mapping.class, Throwing.class).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> bye(client, name))
					.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.DATA_LOSS))
					.withMessageContaining(name);
			}
		});
	}

	@Test
	void theOutermostOneSeesWhatAPlainMethodThrows() {
		this.runner.withUserConfiguration(Mapping.class).withBean(ThrowingController.class).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("Ada"))
					.withMessage("DATA_LOSS: plain");
			}
		});
	}

	@Test
	void anInterceptorMayRefuseACall() {
		this.runner.withUserConfiguration(Plain.class, Refusing.class).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> bye(client, "Ada"))
					.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
			}
		});
	}

	@Test
	void aPrototypeIsMadeForEachServiceOfEachServer() {
		this.runner.withUserConfiguration(Prototypes.class, Plain.class)
			.withBean(GreeterService.class)
			.withPropertyValues("grpc.server.health.enabled=false", "grpc.server.reflection.enabled=false")
			.run((context) -> {
				GrpcServerLifecycle lifecycle = context.getBean(GrpcServerLifecycle.class);
				assertThat(context.getBean(Prototypes.class).made).isEqualTo(2);
				lifecycle.stop();
				lifecycle.start();
				assertThat(context.getBean(Prototypes.class).made).isEqualTo(4);
				assertThat(traceOf(context)).isEqualTo("prototype");
			});
	}

	@Test
	void aTypeOfWhichThereIsNoBeanStopsTheStart() {
		assertFailure(Listing.class, "' (" + Listing.class.getName() + ") lists the interceptor "
				+ TypeB.class.getName() + ", but there is no bean of this type.", "Make it a bean");
	}

	@Test
	void aTypeOfWhichThereAreSeveralBeansStopsTheStart() {
		assertFailure(SeveralOfOneType.class, "lists the interceptor " + TracingInterceptor.class.getName()
				+ ", but there are several beans of this type: 'first', 'second'.", "@Primary");
	}

	@Test
	void thePrimaryOneOfSeveralIsMeant() {
		this.runner.withUserConfiguration(SeveralOfOneType.class, PrimaryOne.class)
			.run((context) -> assertThat(traceOf(context)).isEqualTo("primary"));
	}

	@Test
	void aNameThatNoBeanHasStopsTheStart() {
		assertFailure(Misspelt.class, "lists the interceptor 'nam-1', but there is no bean of this name.", "'name1'");
	}

	@Test
	void aNameOfWhatIsNoInterceptorStopsTheStart() {
		assertFailure(NoInterceptor.class, "lists the interceptor 'trace', but this bean (" + CallTrace.class.getName()
				+ ") is no io.grpc.ServerInterceptor.", "Correct the name");
	}

	private static void assertFailure(Class<?> configuration, String description, String action) {
		TestApplications.runner()
			.withBean("trace", CallTrace.class)
			.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining(description)
				.extracting((ex) -> ((FailureAnalyzedException) ex).analysis().getAction())
				.asString()
				.contains(action));
	}

	private static String traceOf(AssertableApplicationContext context) throws InterruptedException {
		assertThat(context).hasNotFailed();
		CallTrace trace = context.getBean(CallTrace.class);
		try (GreeterClient client = GreeterClient.of(context)) {
			bye(client, "Ada");
			String first = trace.take();
			bye(client, "Ada");
			assertThat(trace.take()).isEqualTo(first);
			return first;
		}
	}

	private static void bye(GreeterClient client, String name) {
		FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request(name));
	}

	static class Farewell extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			if (request.getName().equals("broken")) {
				throw new IllegalStateException(request.getName());
			}
			responses.onNext(GreeterService.greeting(request.getName()));
			responses.onCompleted();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@Bean
		Farewell plain() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ ByInterface.class, ByPriorityInterface.class, ByClass.class, ByPriority.class })
	static class Globals {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor none(CallTrace trace) {
			return new TracingInterceptor("none", trace);
		}

		@Bean
		@Order(-20)
		@GlobalServerInterceptor
		ServerInterceptor method(CallTrace trace) {
			return new TracingInterceptor("method", trace);
		}

		@Bean
		ServerInterceptor notGlobal(CallTrace trace) {
			return new TracingInterceptor("not-global", trace);
		}

	}

	@GlobalServerInterceptor
	static class ByInterface extends TracingInterceptor implements Ordered {

		ByInterface(CallTrace trace) {
			super("ordered", trace);
		}

		@Override
		public int getOrder() {
			return 10;
		}

	}

	@GlobalServerInterceptor
	static class ByPriorityInterface extends TracingInterceptor implements PriorityOrdered {

		ByPriorityInterface(CallTrace trace) {
			super("priority-ordered", trace);
		}

		@Override
		public int getOrder() {
			return 1000;
		}

	}

	@Order(20)
	@GlobalServerInterceptor
	static class ByClass extends TracingInterceptor {

		ByClass(CallTrace trace) {
			super("class", trace);
		}

	}

	@Priority(30)
	@GlobalServerInterceptor
	static class ByPriority extends TracingInterceptor {

		ByPriority(CallTrace trace) {
			super("priority", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Local {

		@Bean
		@Order(5)
		@GlobalServerInterceptor
		ServerInterceptor local(CallTrace trace) {
			return new TracingInterceptor("local", trace);
		}

	}

	@Order(-10)
	static class TypeA extends TracingInterceptor {

		TypeA(CallTrace trace) {
			super("type-a", trace);
		}

	}

	@Order(40)
	static class TypeB extends TracingInterceptor {

		TypeB(CallTrace trace) {
			super("type-b", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ TypeA.class, TypeB.class })
	static class Listed {

		@Bean
		@Order(-30)
		ServerInterceptor name1(CallTrace trace) {
			return new TracingInterceptor("name-1", trace);
		}

		@Bean
		@Order(5)
		ServerInterceptor name2(CallTrace trace) {
			return new TracingInterceptor("name-2", trace);
		}

	}

	@GrpcService(interceptors = { TypeB.class, TypeA.class }, interceptorNames = { "name2", "name1" })
	static class Listing extends Farewell {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			super.bye(request, responses);
		}

	}

	@GrpcService(interceptors = { TypeB.class, TypeA.class }, interceptorNames = { "name2", "name1" },
			blendWithGlobalInterceptors = true)
	static class Blending extends Farewell {

	}

	@GrpcService(interceptors = { ByInterface.class, TypeA.class, TypeA.class },
			interceptorNames = { "method", "method" })
	static class Repeating extends Farewell {

	}

	@Configuration(proxyBeanMethods = false)
	static class Contributors {

		private final List<ServiceDetails> asked = new ArrayList<>();

		@Bean
		@Order(2)
		ServiceInterceptorContributor second(CallTrace trace) {
			return contributor("2", trace);
		}

		@Bean
		@Order(1)
		ServiceInterceptorContributor first(CallTrace trace) {
			return contributor("1", trace);
		}

		@Bean
		ServiceInterceptorContributor silent() {
			return new ServiceInterceptorContributor() {
			};
		}

		private ServiceInterceptorContributor contributor(String number, CallTrace trace) {
			return new ServiceInterceptorContributor() {

				@Override
				public ServerInterceptor outermost(ServiceDetails service) {
					Contributors.this.asked.add(service);
					return new TracingInterceptor("outermost-" + number, trace);
				}

				@Override
				public ServerInterceptor innermost(ServiceDetails service) {
					return new TracingInterceptor("innermost-" + number, trace);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapping extends Plain {

		@Bean
		@GlobalServerInterceptor
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ServerInterceptor mapping() {
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

						@Override
						public void onHalfClose() {
							try {
								super.onHalfClose();
							}
							catch (IllegalStateException ex) {
								call.close(Status.DATA_LOSS.withDescription(ex.getMessage()), new Metadata());
							}
						}

					};
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Refusing {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor refusing() {
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					call.close(Status.PERMISSION_DENIED, new Metadata());
					return new ServerCall.Listener<>() {
					};
				}

			};
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class ThrowingController {

		public HelloResponse hello(HelloRequest request) {
			throw new CompletionException(new IllegalStateException("plain"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Throwing {

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor throwing() {
			return new ServerInterceptor() {

				@Override
				public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
						ServerCallHandler<I, O> next) {
					return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

						private boolean intercepted;

						@Override
						public void onMessage(I message) {
							this.intercepted = ((HelloRequest) message).getName().equals("intercepted");
							super.onMessage(message);
						}

						@Override
						public void onHalfClose() {
							if (this.intercepted) {
								throw new IllegalStateException("intercepted");
							}
							super.onHalfClose();
						}

					};
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		private int made;

		@Bean
		@Scope("prototype")
		@GlobalServerInterceptor
		ServerInterceptor prototype(CallTrace trace) {
			this.made++;
			return new TracingInterceptor("prototype", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ListingTracing.class)
	static class SeveralOfOneType {

		@Bean
		TracingInterceptor first(CallTrace trace) {
			return new TracingInterceptor("first", trace);
		}

		@Bean
		TracingInterceptor second(CallTrace trace) {
			return new TracingInterceptor("second", trace);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryOne {

		@Bean
		@Primary
		TracingInterceptor primary(CallTrace trace) {
			return new TracingInterceptor("primary", trace);
		}

	}

	@GrpcService(interceptors = TracingInterceptor.class)
	static class ListingTracing extends Farewell {

	}

	@Configuration(proxyBeanMethods = false)
	static class Misspelt {

		@Bean
		ServerInterceptor name1(CallTrace trace) {
			return new TracingInterceptor("name-1", trace);
		}

		@GrpcService(interceptorNames = "nam-1")
		Farewell misspelt() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoInterceptor {

		@GrpcService(interceptorNames = "trace")
		Farewell noInterceptor() {
			return new Farewell();
		}

	}

}
