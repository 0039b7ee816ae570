package dev.grpcloop.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.Backend;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.BindableService;
import io.grpc.ServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.NettyGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GrpcLoopServerAutoConfiguration}.
 */
class GrpcLoopServerAutoConfigurationTests {

	private final ApplicationContextRunner runner = TestApplications.runner();

	@Test
	void serverStartsWithoutAnything() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(EventLoopGrpcServerFactory.class);
			assertThat(context).hasSingleBean(EventLoopGrpcServerLifecycle.class);
			assertThat(context.getBean(EventLoopGrpcServerLifecycle.class).isRunning()).isTrue();
		});
	}

	@Test
	void nothingIsThereIfTheServerIsSwitchedOff() {
		this.runner.withPropertyValues("grpc.server.enabled=false")
			.run((context) -> assertThat(ownBeans(context)).isEmpty());
	}

	@Test
	void allBeansHaveOurPrefix() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(ownBeans(context)).hasSizeGreaterThanOrEqualTo(7)
				// the name of a contributor is what /actuator/health shows
				.allSatisfy((name) -> assertThat(name).matches("grpcLoop.*|grpcServerHealthIndicator")));
	}

	@Test
	void theExecutorOfSpringBootStays() {
		this.runner.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.run((context) -> assertThat(context.getBeanNamesForType(Executor.class))
				.containsExactly("applicationTaskExecutor"));
	}

	@Test
	void isThereWithoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.withBean(GreeterService.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context).hasSingleBean(EngineTelemetry.class);
				assertThat(context.getBean(EventLoopGrpcServerLifecycle.class).isRunning()).isTrue();
			});
	}

	@Test
	void isThereWithoutActuator() {
		this.runner
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate",
					"org.springframework.boot.micrometer", "org.springframework.boot.health"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context).hasSingleBean(EngineTelemetry.class);
				assertThat(context.getBean(EventLoopGrpcServerLifecycle.class).isRunning()).isTrue();
			});
	}

	@Test
	void isThereWithoutSpringBootsServer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.grpc.netty")).run((context) -> {
			assertThat(context).doesNotHaveBean(SpringBootPropertiesAdvisor.class);
			assertThat(context.getBean(EventLoopGrpcServerLifecycle.class).isRunning()).isTrue();
		});
	}

	@Test
	void isNotThereWithoutSpringGrpc() {
		this.runner.withClassLoader(new FilteredClassLoader(GrpcServerFactory.class))
			.run((context) -> assertThat(ownBeans(context)).isEmpty());
	}

	@Test
	void aMeterRegistryGetsTheNumbers() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			assertThat(context).hasSingleBean(ServerStatistics.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
			assertThat(registry.find("grpc.engine.calls.active").gauge()).isNotNull();
		});
	}

	@Test
	void metricsCanBeSwitchedOff() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("grpc.server.metrics.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(EngineTelemetry.class);
				assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
			});
	}

	@Test
	void theApplicationsTelemetryReplacesOurs() {
		List<Integer> loops = new ArrayList<>();
		EngineTelemetry own = new EngineTelemetry() {

			@Override
			public LoopTelemetry loop(int loop) {
				loops.add(loop);
				return LoopTelemetry.NOOP;
			}

		};
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(EngineTelemetry.class, () -> own)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(ServerStatistics.class);
				assertThat(loops).containsExactly(0);
			});
	}

	@Test
	void theApplicationsDiscovererAndConfigurerReplaceOurs() {
		GreeterService service = new GreeterService();
		this.runner.withBean(GrpcServiceDiscoverer.class, () -> new FixedDiscoverer(service))
			.withBean(GrpcServiceConfigurer.class, () -> (spec, factory) -> spec.service().bindService())
			.run((context) -> {
				assertThat(context).doesNotHaveBean("grpcLoopServiceDiscoverer");
				assertThat(context).doesNotHaveBean("grpcLoopServiceConfigurer");
				assertThat(StartedServer.services(context)).contains("test.v1.Greeter");
			});
	}

	@Test
	void anotherFactoryOfNetworkServersReplacesOurs() {
		this.runner
			.withBean(NettyGrpcServerFactory.class,
					() -> new NettyGrpcServerFactory("*:0", List.of(), null, null, null))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(EventLoopGrpcServerFactory.class);
				assertThat(context).doesNotHaveBean(EventLoopGrpcServerLifecycle.class);
			});
	}

	@Test
	void anInProcessFactoryStaysBesideOurs() {
		this.runner.withBean(InProcessGrpcServerFactory.class, () -> new InProcessGrpcServerFactory("test", List.of()))
			.run((context) -> assertThat(context).hasSingleBean(EventLoopGrpcServerLifecycle.class));
	}

	@Test
	void thePropertiesReachTheServer() {
		this.runner.withPropertyValues("grpc.server.backend=nio", "grpc.server.workers=3").run((context) -> {
			EventLoopServer server = StartedServer.of(context);
			assertThat(server.getBackend()).isEqualTo(Backend.NIO);
			assertThat(server.getWorkers()).isEqualTo(3);
		});
	}

	@Test
	void customizersOfOurBuilderRunLastAndInOrder() {
		this.runner.withPropertyValues("grpc.server.workers=2")
			.withUserConfiguration(Customizers.class)
			.run((context) -> {
				assertThat(context.getBean(Customizers.class).calls).containsExactly("first", "second", "any");
				assertThat(StartedServer.of(context).getWorkers()).isEqualTo(4);
			});
	}

	@Test
	void servicesCanBeFilteredOut() {
		this.runner.withBean(GreeterService.class)
			.withBean(ServerServiceDefinitionFilter.class, () -> (service, factory) -> false)
			.run((context) -> assertThat(StartedServer.services(context)).isEmpty());
	}

	@Test
	void servicesOfAParentContextAreServed() {
		new ApplicationContextRunner().withBean(GreeterService.class)
			.run((parent) -> this.runner.withParent(parent)
				.run((context) -> assertThat(StartedServer.services(context)).contains("test.v1.Greeter")));
	}

	@Test
	void theContextOfAParentServesOnce() {
		this.runner.withBean(GreeterService.class)
			.run((parent) -> new ApplicationContextRunner().withParent(parent)
				.run((child) -> assertThat(ownBeans(child)).isEmpty()));
	}

	private static List<String> ownBeans(AssertableApplicationContext context) {
		ConfigurableListableBeanFactory beanFactory = context.getSourceApplicationContext().getBeanFactory();
		return Stream.of(beanFactory.getBeanDefinitionNames()).filter((name) -> {
			String configuration = beanFactory.getBeanDefinition(name).getFactoryBeanName();
			return configuration != null && configuration.startsWith("dev.grpcloop.boot.autoconfigure")
					&& !configuration.contains("Tests");
		}).toList();
	}

	private record FixedDiscoverer(BindableService service) implements GrpcServiceDiscoverer {

		@Override
		public List<GrpcServiceSpec> findServices() {
			return List.of(new GrpcServiceSpec(this.service, null));
		}

		@Override
		public List<String> listServiceNames() {
			return List.of(this.service.bindService().getServiceDescriptor().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		ServerBuilderCustomizer<EventLoopServerBuilder> second() {
			return (builder) -> {
				this.calls.add("second");
				builder.workers(4);
			};
		}

		@Bean
		@Order(1)
		ServerBuilderCustomizer<EventLoopServerBuilder> first() {
			return (builder) -> {
				this.calls.add("first");
				builder.workers(3);
			};
		}

		@Bean
		@Order(3)
		ServerBuilderCustomizer<NettyServerBuilder> other() {
			return (builder) -> {
				this.calls.add("other");
				builder.permitKeepAliveWithoutCalls(true);
			};
		}

		@Bean
		@Order(4)
		<T extends ServerBuilder<T>> ServerBuilderCustomizer<T> any() {
			return (builder) -> this.calls.add("any");
		}

	}

}
