package dev.grpcloop.boot.controller;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is bound to the threads of a call is so wherever the application's code runs.
 */
class CallerContextTests {

	private static final Context.Key<String> USER = Context.key("user");

	@Test
	void contextAndObservationAreCurrentInMethodsAtSubscriptionAndAtIteration() throws Exception {
		try (ControllerServer server = ControllerServer.start(Intercepted.class, new Naming())) {
			assertThat(server.hello("Ada").messages()).containsExactly("Hello Ada true");
			assertThat(server.repeat("Ada").messages()).as("iteration").containsExactly("Hello Ada true");
			assertThat(server.collect().end().messages()).as("task").containsExactly("Hello Ada true");
			assertThat(server.chat().end().messages()).as("subscription").containsExactly("Hello Ada true");
		}
	}

	@Test
	void anIteratorOfATaskIsAskedWithThemAfterAWaitToo() throws Exception {
		try (ControllerServer server = ControllerServer.start(Intercepted.class, new Repeating())) {
			TestCall call = server.call(GreeterGrpc.getChatMethod(), CallOptions.DEFAULT, 1);
			call.send("x");
			call.next();
			call.request(Integer.MAX_VALUE);
			for (int i = 1; i < 1000; i++) {
				assertThat(call.next()).endsWith("Ada true");
			}
		}
	}

	static String names() {
		Observation observation = ObservationHolder.registry.getCurrentObservation();
		return USER.get() + " " + (observation != null);
	}

	@GrpcController(GreeterGrpc.class)
	static class Naming {

		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(names());
		}

		public Stream<HelloResponse> repeat(HelloRequest request) {
			return Stream.of(1).map((number) -> GreeterService.greeting(names()));
		}

		public HelloResponse collect(Iterator<HelloRequest> requests) {
			return GreeterService.greeting(names());
		}

		public Flux<HelloResponse> chat(Flux<HelloRequest> requests) {
			return Flux.defer(() -> Flux.just(GreeterService.greeting(names())));
		}

	}

	@GrpcController(GreeterGrpc.class)
	static class Repeating {

		public Stream<HelloResponse> chat(Stream<HelloRequest> requests) {
			return Stream.generate(() -> GreeterService.greeting("x".repeat(1000) + names())).limit(1000);
		}

	}

	static final class ObservationHolder {

		static ObservationRegistry registry = ObservationRegistry.NOOP;

	}

	@Configuration(proxyBeanMethods = false)
	static class Intercepted {

		@Bean
		ObservationRegistry observationRegistry() {
			ObservationHolder.registry = ObservationRegistry.create();
			ObservationHolder.registry.observationConfig().observationHandler((context) -> true);
			return ObservationHolder.registry;
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor observations(ObservationRegistry registry) {
			return new ObservationGrpcServerInterceptor(registry);
		}

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor user() {
			return new ServerInterceptor() {

				@Override
				public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
						ServerCallHandler<Q, R> next) {
					return Contexts.interceptCall(Context.current().withValue(USER, "Ada"), call, headers, next);
				}

			};
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "io.micrometer.context" })
	void observationAndSecurityContextGoAlongWithAndWithoutContextPropagation(String absent) throws Exception {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler((context) -> true);
		StaticListableBeanFactory beanFactory = new StaticListableBeanFactory();
		beanFactory.addBean("registry", registry);
		CallerContext callerContext = CallerContexts.of(beanFactory, new FilteredClassLoader(absent));
		Observation observation = Observation.start("test", registry);
		CallerContext.Scope scope;
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("Ada", ""));
		try (Observation.Scope current = observation.openScope()) {
			scope = callerContext.capture();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
		AtomicReference<Object> seen = new AtomicReference<>();
		AtomicReference<Object> user = new AtomicReference<>();
		Thread thread = new Thread(() -> {
			scope.run(() -> {
				seen.set(registry.getCurrentObservation());
				user.set(SecurityContextHolder.getContext().getAuthentication().getName());
			});
			assertThat(registry.getCurrentObservation()).isNull();
		});
		thread.start();
		thread.join();
		assertThat(seen.get()).isSameAs(observation);
		assertThat(user.get()).isEqualTo("Ada");
	}

	@Test
	void noneOfTheLibrariesIsNeeded() {
		CallerContext callerContext = CallerContexts.of(new StaticListableBeanFactory(),
				new FilteredClassLoader("io.micrometer", "org.springframework.security"));
		List<String> ran = new ArrayList<>();
		callerContext.capture().run(() -> ran.add("work"));
		assertThat(ran).containsExactly("work");
	}

}
