package dev.grpcloop.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.StartedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.grpc.server.GrpcServletRegistration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerFactoryCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.DefaultGrpcServerFactory;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.NettyGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which server an application with Spring Boot's gRPC starter beside ours has.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@BesideSpringBoot
class SpringBootServerTests {

	private final ApplicationContextRunner runner = SpringBootApplications.runner().withBean(GreeterService.class);

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void springBootsProviderIsAskedToo() {
		SpringBootApplications.runner()
			.withBean(BuilderBeanTests.ThreadTeller.class)
			.withBean(SpringBootsExecutor.class)
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(client.hello("Ada")).isEqualTo("boots");
				}
			});
	}

	@Test
	void oursTakesThePlaceOfSpringBoots(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertOurs(context);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
		assertThat(output).containsOnlyOnce("gRPC server started on 127.0.0.1:")
			.doesNotContain("gRPC Server started")
			.doesNotContain("have no effect");
	}

	@Test
	void grpcNettyIsNotNeeded() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications
			.run(new FilteredClassLoader("io.grpc.netty"), Application.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertOurs(context);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	private static void assertOurs(ConfigurableApplicationContext context) {
		assertThat(context.getBean(GrpcServerFactory.class)).isInstanceOf(EventLoopGrpcServerFactory.class);
		assertThat(context.getBean(GrpcServerLifecycle.class)).isInstanceOf(EventLoopGrpcServerLifecycle.class);
	}

	@Test
	void onePropertyBringsSpringBootsBack() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class,
				"grpc.server.enabled=false");
				GreeterClient client = new GreeterClient("localhost",
						context.getBean(GrpcServerLifecycle.class).getPort())) {
			assertThat(context.getBean(GrpcServerFactory.class)).isInstanceOf(NettyGrpcServerFactory.class);
			assertThat(context.getBeanNamesForType(Object.class))
				.noneSatisfy((name) -> assertThat(name).startsWith("grpcLoop"));
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void springBootsSwitchSwitchesOursOff() {
		this.runner.withPropertyValues("spring.grpc.server.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GrpcServerFactory.class));
	}

	@Test
	void springBootsSwitchOfFactoriesSwitchesOursOff() {
		this.runner.withPropertyValues("spring.grpc.server.factory.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(GrpcServerFactory.class)
				.doesNotHaveBean(GrpcServerLifecycle.class));
	}

	@Test
	void withoutServicesNoServerIsStartedAsBefore(CapturedOutput output) {
		SpringBootApplications.runner()
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(GrpcServerFactory.class));
		assertThat(output).contains("No gRPC server is started: the application has no BindableService bean");
	}

	@Test
	void aNetworkFactoryOfTheApplicationReplacesOurs() {
		this.runner
			.withBean(NettyGrpcServerFactory.class,
					() -> new NettyGrpcServerFactory("*:0", List.of(), null, null, null))
			.run((context) -> assertThat(context).hasSingleBean(GrpcServerFactory.class)
				.doesNotHaveBean(EventLoopGrpcServerLifecycle.class));
	}

	@Test
	void customizersOfSpringBootsKindGetOurFactoryInOrder() {
		this.runner.withUserConfiguration(FactoryCustomizers.class).run((context) -> {
			FactoryCustomizers customizers = context.getBean(FactoryCustomizers.class);
			GrpcServerFactory factory = context.getBean(GrpcServerFactory.class);
			assertThat(customizers.customized).containsExactly("first", "second");
			assertThat(customizers.factories).containsOnly(factory);
			assertThat(StartedServer.services(context)).isNotEmpty().doesNotContain("test.v1.Greeter");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.grpc.server.ssl.bundle=test", "spring.grpc.server.ssl.enabled=true",
			"spring.grpc.server.ssl.client-auth=require", "spring.grpc.server.netty.transport=domain-socket",
			"spring.grpc.server.netty.domain-socket-path=/tmp/greeter", "grpc.server.ssl.bundle=test",
			"grpc.server.netty.domain-socket-path=/tmp/greeter" })
	void whatTheServerCannotDoStopsTheStart(String property) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(property.substring(0, property.indexOf('=')) + " is '")
				.extracting("action")
				.asString()
				.contains("grpc.server.enabled=false"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.grpc.server.ssl.enabled=false", "spring.grpc.server.netty.transport=tcp" })
	void whatAsksForPlaintextAndTcpDoesNot(String property) {
		this.runner
			.withPropertyValues(property, "spring.grpc.server.ssl.enabled=false", "spring.grpc.server.ssl.bundle=test")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class FactoryCustomizers {

		final List<String> customized = new ArrayList<>();

		final List<GrpcServerFactory> factories = new ArrayList<>();

		@Bean
		@Order(2)
		GrpcServerFactoryCustomizer second() {
			return (factory) -> {
				this.customized.add("second");
				this.factories.add(factory);
				if (factory instanceof DefaultGrpcServerFactory<?> known) {
					known.setServiceFilter(
							(service, server) -> !service.getServiceDescriptor().getName().equals("test.v1.Greeter"));
				}
			};
		}

		@Bean
		@Order(1)
		GrpcServerFactoryCustomizer first() {
			return (factory) -> {
				this.customized.add("first");
				this.factories.add(factory);
			};
		}

	}

	static class SpringBootsExecutor implements GrpcServerExecutorProvider, DisposableBean {

		private final ExecutorService executor = Executors.newSingleThreadExecutor((task) -> new Thread(task, "boots"));

		@Override
		public Executor getExecutor() {
			return this.executor;
		}

		@Override
		public void destroy() {
			this.executor.shutdownNow();
		}

	}

}
