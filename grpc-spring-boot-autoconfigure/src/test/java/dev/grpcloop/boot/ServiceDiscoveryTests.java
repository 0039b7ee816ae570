package dev.grpcloop.boot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.CallTrace;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.boot.testsupport.TracingInterceptor;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Profile;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.service.GrpcService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which beans are served. Case B47.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServiceDiscoveryTests {

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withPropertyValues("grpc.server.health.enabled=false");

	@ParameterizedTest
	@ValueSource(classes = { OnClass.class, OnMethod.class, ByMetaAnnotation.class, Unmarked.class, Undeclared.class,
			ByFactoryBean.class, Definition.class, ByFactoryBeanOfDefinition.class, Scoped.class, Prototype.class })
	void isServed(Class<?> configuration) {
		this.runner.withUserConfiguration(Interceptors.class, configuration).run(ServiceDiscoveryTests::assertServed);
	}

	@ParameterizedTest
	@BesideSpringBoot
	@ValueSource(classes = { OnClass.class, OnMethod.class, ByMetaAnnotation.class, Unmarked.class, ByFactoryBean.class,
			Definition.class, ByFactoryBeanOfDefinition.class, Scoped.class, Prototype.class })
	void isServedInThePlaceOfSpringBootsServer(Class<?> configuration) {
		SpringBootApplications.runner()
			.withUserConfiguration(Interceptors.class, configuration)
			.run(ServiceDiscoveryTests::assertServed);
	}

	@ParameterizedTest
	@ValueSource(classes = { OnClass.class, OnMethod.class, ByMetaAnnotation.class, Unmarked.class, ByFactoryBean.class,
			Definition.class, ByFactoryBeanOfDefinition.class, Scoped.class, Prototype.class })
	void isServedFromAnAncestor(Class<?> configuration) {
		new ApplicationContextRunner().withUserConfiguration(Interceptors.class, configuration)
			.run((grandparent) -> new ApplicationContextRunner().withParent(grandparent)
				.run((parent) -> this.runner.withParent(parent).run(ServiceDiscoveryTests::assertServed)));
	}

	@ParameterizedTest
	@BesideSpringBoot
	@ValueSource(classes = { Unmarked.class, Definition.class })
	void isServedFromAnAncestorInThePlaceOfSpringBootsServer(Class<?> configuration) {
		new ApplicationContextRunner().withUserConfiguration(Interceptors.class, configuration)
			.run((parent) -> SpringBootApplications.runner()
				.withParent(parent)
				.run(ServiceDiscoveryTests::assertServed));
	}

	private static void assertServed(AssertableApplicationContext context) throws InterruptedException {
		assertThat(context).hasNotFailed();
		assertThat(StartedServer.services(context)).contains("test.v1.Farewell");
		try (GreeterClient client = GreeterClient.of(context)) {
			assertThat(bye(client)).isEqualTo("Hello Ada");
			boolean marked = !context.getBean(Interceptors.class).unmarked(context);
			assertThat(context.getBean(CallTrace.class).take()).isEqualTo(marked ? "own" : "");
		}
	}

	@Test
	void aBeanOfADescendantIsNotServed() throws Exception {
		try (ConfigurableApplicationContext parent = TestApplications.run(GreeterService.class);
				AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			child.setParent(parent);
			child.register(Unmarked.class);
			child.refresh();
			assertThat(child.getBeansOfType(BindableService.class)).hasSize(1);
			parent.stop();
			parent.start();
			assertThat(StartedServer.services(parent)).contains("test.v1.Greeter").doesNotContain("test.v1.Farewell");
		}
	}

	@Test
	void aBeanHidesTheAncestorsOfItsName() {
		new ApplicationContextRunner().withBean("greeter", GreeterService.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean("greeter", String.class, () -> "no service")
				.run((context) -> assertThat(StartedServer.services(context)).isEmpty()));
	}

	@ParameterizedTest
	@CsvSource({ "false, false, 0", "true, false, 1", "false, true, 1", "true, true, 2" })
	void conditionsAndProfilesAreHeeded(boolean condition, boolean profile, int services) {
		this.runner.withUserConfiguration(Conditional.class)
			.withPropertyValues("greeter=" + condition, "spring.profiles.active=" + (profile ? "farewell" : "none"))
			.run((context) -> assertThat(StartedServer.services(context))
				.filteredOn((name) -> !name.startsWith("grpc."))
				.hasSize(services));
	}

	@Test
	void anApplicationWithoutServicesStartsAndSaysSo(CapturedOutput output) {
		this.runner.run((context) -> assertThat(StartedServer.services(context)).isEmpty());
		assertThat(output).containsOnlyOnce("no services: the application has no BindableService bean");
	}

	@Test
	void lazyInitializationDoesNotDelayTheServer() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(OnDemand.class,
				"spring.main.lazy-initialization=true"); GreeterClient client = GreeterClient.of(context)) {
			String lifecycle = context.getBeanNamesForType(GrpcServerLifecycle.class)[0];
			assertThat(context.getBeanFactory().getBeanDefinition(lifecycle).isLazyInit()).isFalse();
			assertThat(context.getBeanFactory().getBeanDefinition("onMethod").isLazyInit()).isTrue();
			assertThat(bye(client)).isEqualTo("Hello Ada");
			assertThat(context.getBean(CallTrace.class).take()).isEqualTo("own");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void aServiceThatCannotBeMadeStopsTheStart(String lazy) {
		assertThatThrownBy(
				() -> TestApplications.run(BrokenApplication.class, "spring.main.lazy-initialization=" + lazy))
			.hasStackTraceContaining("Error creating bean with name 'broken'")
			.hasRootCauseMessage("no database");
	}

	@Test
	void aMarkedBeanThatIsNoServiceIsNotMadeToSee() {
		AtomicInteger made = new AtomicInteger();
		this.runner.withBean(AtomicInteger.class, () -> made).withUserConfiguration(NoService.class).run((context) -> {
			assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageContaining("(" + NoService.class.getName() + ") is marked @GrpcService");
			assertThat(made).hasValue(0);
		});
	}

	@Test
	void servicesMayReferToEachOther() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Circular.class,
				"spring.main.allow-circular-references=true"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(bye(client)).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aPrototypeIsMadeOnceForAllServers() {
		this.runner.withUserConfiguration(Interceptors.class, Prototype.class).run((context) -> {
			GrpcServerLifecycle lifecycle = context.getBean(GrpcServerLifecycle.class);
			lifecycle.stop();
			lifecycle.start();
			assertThat(context.getBean(Prototype.class).made).hasValue(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "Unmarked, farewell, OnMethod, onMethod", "Unmarked, farewell, Definition, definition",
			"ByFactoryBeanOfDefinition, factoryBean, Definition, definition" })
	void twoBeansOfOneServiceAreNamed(String first, String firstBean, String second, String secondBean)
			throws ClassNotFoundException {
		this.runner
			.withUserConfiguration(Interceptors.class, Class.forName(getClass().getName() + "$" + first),
					Class.forName(getClass().getName() + "$" + second))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(FailureAnalyzedException.class)
				.hasMessageStartingWith("Two beans serve the gRPC service test.v1.Farewell: ")
				.hasMessageContaining("'" + firstBean + "' (")
				.hasMessageContaining("'" + secondBean + "' ("));
	}

	@Test
	void aBeanOfAnAncestorIsADuplicateToo() {
		new ApplicationContextRunner().withBean("first", GreeterService.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean("second", GreeterService.class)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("'first' (")
					.hasMessageContaining("'second' (")));
	}

	@Test
	void aFilterMayDecideBetweenTwoBeansOfOneService() {
		this.runner.withUserConfiguration(Interceptors.class, Unmarked.class, OnMethod.class)
			.withBean(ServerServiceDefinitionFilter.class, FirstOnly::new)
			.run((context) -> assertThat(StartedServer.services(context)).containsExactly("test.v1.Farewell"));
	}

	@Test
	void ourHealthServiceGivesWayToADefinition() {
		TestApplications.runner().withUserConfiguration(OwnHealth.class).run((context) -> {
			assertThat(StartedServer.services(context)).containsOnlyOnce("grpc.health.v1.Health");
			assertThat(context).hasNotFailed();
		});
	}

	@Test
	@BesideSpringBoot
	void springBootsReflectionServiceGivesWayToThatOfTheApplication() {
		SpringBootApplications.runner()
			.withBean("ownReflection", BindableService.class, ProtoReflectionServiceV1::newInstance)
			.withBean(GreeterService.class)
			.run((context) -> {
				assertThat(context).hasBean("grpcServerReflectionService");
				assertThat(StartedServer.services(context)).containsOnlyOnce("grpc.reflection.v1.ServerReflection");
			});
	}

	private static String bye(GreeterClient client) {
		return FarewellGrpc.newBlockingStub(client.channel()).bye(GreeterService.request("Ada")).getMessage();
	}

	public static class Farewell extends FarewellGrpc.FarewellImplBase {

		@Override
		public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(GreeterService.greeting(request.getName()));
			responses.onCompleted();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		@Bean
		CallTrace trace() {
			return new CallTrace();
		}

		@Bean
		ServerInterceptor own(CallTrace trace) {
			return new TracingInterceptor("own", trace);
		}

		boolean unmarked(ApplicationContext context) {
			return context.getBeanProvider(Unmarked.class).getIfAvailable() != null;
		}

	}

	@GrpcService(interceptorNames = "own")
	static class MarkedFarewell extends Farewell {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(MarkedFarewell.class)
	static class OnClass {

	}

	@Configuration(proxyBeanMethods = false)
	static class OnMethod {

		@GrpcService(interceptorNames = "own")
		Farewell onMethod() {
			return new Farewell();
		}

	}

	@GrpcService(interceptorNames = "own")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OwnService {

	}

	@OwnService
	static class MetaMarkedFarewell extends Farewell {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(MetaMarkedFarewell.class)
	static class ByMetaAnnotation {

	}

	@Configuration(proxyBeanMethods = false)
	static class Unmarked {

		@Bean
		Farewell farewell() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Undeclared {

		@GrpcService(interceptorNames = "own")
		Object undeclared() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ByFactoryBean {

		@GrpcService(interceptorNames = "own")
		FactoryBean<Farewell> factoryBean() {
			return factoryOf(new Farewell(), Farewell.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Definition {

		@GrpcService(interceptorNames = "own")
		ServerServiceDefinition definition() {
			return new Farewell().bindService();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ByFactoryBeanOfDefinition {

		@GrpcService(interceptorNames = "own")
		FactoryBean<ServerServiceDefinition> factoryBean() {
			return factoryOf(new Farewell().bindService(), ServerServiceDefinition.class);
		}

	}

	private static <T> FactoryBean<T> factoryOf(T bean, Class<T> type) {
		return new FactoryBean<>() {

			@Override
			public T getObject() {
				return bean;
			}

			@Override
			public Class<?> getObjectType() {
				return type;
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@GrpcService(interceptorNames = "own")
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Farewell scoped() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototype {

		private final AtomicInteger made = new AtomicInteger();

		@Scope("prototype")
		@GrpcService(interceptorNames = "own")
		Farewell prototype() {
			this.made.incrementAndGet();
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Conditional {

		@Bean
		@ConditionalOnBooleanProperty("greeter")
		GreeterService greeter() {
			return new GreeterService();
		}

		@Bean
		@Profile("farewell")
		Farewell farewell() {
			return new Farewell();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Interceptors.class, OnMethod.class })
	static class OnDemand {

	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenApplication {

		@Bean
		Farewell broken() {
			throw new IllegalStateException("no database");
		}

	}

	@Lazy
	@GrpcService
	static class NoService {

		NoService(AtomicInteger made) {
			made.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ CircularGreeter.class, CircularFarewell.class })
	static class Circular {

	}

	@GrpcService
	static class CircularGreeter extends GreeterService {

		@Autowired
		private CircularFarewell farewell;

	}

	@GrpcService
	static class CircularFarewell extends Farewell {

		@Autowired
		private CircularGreeter greeter;

	}

	static class FirstOnly implements ServerServiceDefinitionFilter {

		private final AtomicInteger asked = new AtomicInteger();

		@Override
		public boolean filter(ServerServiceDefinition service, GrpcServerFactory factory) {
			return this.asked.getAndIncrement() == 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnHealth {

		@Bean
		ServerServiceDefinition ownHealth() {
			return new HealthStatusManager().getHealthService().bindService();
		}

	}

}
