package dev.grpcloop.boot.controller;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.beans.factory.config.CustomScopeConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which beans are controllers, and what they look like to the rest of the application.
 */
public class ControllerBeanTests {

	@ParameterizedTest
	@ValueSource(classes = { OnType.class, OnMethod.class, OnStereotype.class, OnInterface.class, LazyBean.class,
			ScopedBean.class, PrototypeBean.class, OnMethodOverType.class })
	void aControllerIsFoundWhereverItIsMarked(Class<?> configuration) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(configuration);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(StartedServer.services(context)).containsOnlyOnce("test.v1.Greeter");
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aLazyApplicationServesControllers() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(OnType.class,
				"spring.main.lazy-initialization=true"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aControllerOfAnAncestorIsServed() throws Exception {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OnType.class);
				ConfigurableApplicationContext context = TestApplications.builder(Nothing.class).parent(parent).run();
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aBeanHidesTheAncestorsControllerOfItsName() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OnMethod.class);
				ConfigurableApplicationContext context = TestApplications.builder(Hiding.class).parent(parent).run()) {
			assertThat(StartedServer.services(context)).doesNotContain("test.v1.Greeter");
		}
	}

	@Test
	void aControllerIsABindableServiceToTheApplication() {
		TestApplications.runner()
			.withUserConfiguration(OnType.class)
			.run((context) -> assertThat(context.getBeanNamesForType(BindableService.class))
				.anyMatch((name) -> name.startsWith("grpcLoopControllerOf.")));
	}

	@Test
	void adviceRunsOnceForEachCall() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Advised.class);
				GreeterClient client = GreeterClient.of(context)) {
			client.hello("Ada");
			assertThat(context.getBean(Advised.class).calls).containsExactly("hello");
			assertThat(client.repeat("Ada")).containsExactly("Hello Ada");
			assertThat(context.getBean(Advised.class).calls).containsExactly("hello", "repeat");
		}
	}

	@Test
	void interceptorsOfTheServiceStandBesideTheAnnotation() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Intercepted.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(context.getBean(CountingInterceptor.class).calls).hasValue(1);
		}
	}

	@Test
	void twoBeansOfOneServiceStopTheStart() {
		assertThatThrownBy(() -> TestApplications.run(Twice.class)).rootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.hasMessageContaining("test.v1.Greeter")
			.hasMessageContaining("'first'")
			.hasMessageContaining("'second'");
	}

	@Test
	void theServiceIsBoundOnceForAllServersOfAContext() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(PrototypeBean.class)) {
			context.stop();
			context.start();
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
			assertThat(context.getBean(PrototypeBean.class).made).isEqualTo(1);
		}
	}

	public static class Greetings {

		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(request.getName());
		}

		public Stream<HelloResponse> repeat(HelloRequest request) {
			return Stream.of(GreeterService.greeting(request.getName()));
		}

	}

	@GrpcController(GreeterGrpc.class)
	public static class Marked extends Greetings {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Marked.class)
	static class OnType {

	}

	@Configuration(proxyBeanMethods = false)
	static class OnMethod {

		@Bean
		@GrpcController(GreeterGrpc.class)
		Greetings greetings() {
			return new Greetings();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnMethodOverType {

		@Bean
		@GrpcController(GreeterGrpc.class)
		Farewells greetings() {
			return new Farewells();
		}

	}

	@GrpcController(FarewellGrpc.class)
	static class Farewells extends Greetings {

	}

	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@GrpcController(GreeterGrpc.class)
	@interface GreeterController {

	}

	@GreeterController
	static class Stereotyped extends Greetings {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Stereotyped.class)
	static class OnStereotype {

	}

	@GrpcController(GreeterGrpc.class)
	interface GreeterApi {

		HelloResponse hello(HelloRequest request);

	}

	static class Implementing implements GreeterApi {

		@Override
		public HelloResponse hello(HelloRequest request) {
			return GreeterService.greeting(request.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Implementing.class)
	static class OnInterface {

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBean {

		@Bean
		@Lazy
		Marked greetings() {
			return new Marked();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedBean {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Marked greetings() {
			return new Marked();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeBean {

		int made;

		@Bean
		@Scope("prototype")
		Marked greetings() {
			this.made++;
			return new Marked();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

	@Configuration(proxyBeanMethods = false)
	static class Hiding {

		@Bean
		String greetings() {
			return "no controller";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Advised {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@Bean
		@GrpcController(GreeterGrpc.class)
		Greetings greetings() {
			ProxyFactory proxy = new ProxyFactory(new Greetings());
			proxy.setProxyTargetClass(true);
			proxy.addAdvice((MethodInterceptor) (invocation) -> {
				this.calls.add(invocation.getMethod().getName());
				return invocation.proceed();
			});
			return (Greetings) proxy.getProxy();
		}

	}

	static class CountingInterceptor implements ServerInterceptor {

		final AtomicInteger calls = new AtomicInteger();

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.calls.incrementAndGet();
			return next.startCall(call, headers);
		}

	}

	@GrpcService(interceptors = CountingInterceptor.class)
	@GrpcController(GreeterGrpc.class)
	static class WithInterceptor extends Greetings {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ WithInterceptor.class, CountingInterceptor.class })
	static class Intercepted {

	}

	@Configuration(proxyBeanMethods = false)
	static class Twice {

		@Bean
		Marked first() {
			return new Marked();
		}

		@Bean
		Marked second() {
			return new Marked();
		}

	}

}
