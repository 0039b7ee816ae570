package dev.grpcloop.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.server.InProcessServerFactory;
import dev.grpcloop.boot.server.InProcessServerLifecycle;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The in-process server beside the one on the network, and without it.
 */
@Timeout(60)
class InProcessServerTests {

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withBean(GreeterService.class)
		.withPropertyValues("grpc.server.inprocess.name=greeter");

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void bothServersHaveTheServices() {
		this.runner.run((context) -> {
			try (GreeterClient client = GreeterClient.of(context); InProcessClient inProcess = new InProcessClient()) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				assertThat(inProcess.hello("Bob")).isEqualTo("Hello Bob");
				assertThat(HealthWatch.check(inProcess.channel, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			}
		});
	}

	@Test
	void itIsTheOnlyOneWhereThereIsNoneOnTheNetwork() {
		this.runner.withPropertyValues("grpc.server.factory.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(EventLoopGrpcServerFactory.class)
				.doesNotHaveBean(EventLoopGrpcServerLifecycle.class);
			try (InProcessClient inProcess = new InProcessClient()) {
				assertThat(inProcess.hello("Bob")).isEqualTo("Hello Bob");
			}
		});
	}

	@Test
	void withoutANameThereIsNone() {
		TestApplications.runner()
			.run((context) -> assertThat(context).doesNotHaveBean(InProcessServerFactory.class)
				.hasSingleBean(GrpcServerLifecycle.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void itRunsServiceCodeOnTheServersExecutor(String mode) {
		this.runner.withPropertyValues("grpc.server.executor.mode=" + mode, "spring.threads.virtual.enabled=false")
			.withUserConfiguration(Watcher.class)
			.run((context) -> {
				try (InProcessClient inProcess = new InProcessClient()) {
					inProcess.hello("Ada");
					assertThat(context.getBean(Watcher.class).threads)
						.allSatisfy((thread) -> assertThat(thread).startsWith("grpc-call-"));
				}
			});
	}

	@Test
	void filtersAreToldWhichServerItIsAndCustomizersOfItsBuilderAreCalled() {
		this.runner.withUserConfiguration(Watcher.class).withUserConfiguration(NetworkOnly.class).run((context) -> {
			try (GreeterClient client = GreeterClient.of(context); InProcessClient inProcess = new InProcessClient()) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> inProcess.hello("Ada"))
					.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
			}
			assertThat(context.getBean(NetworkOnly.class).customized).containsExactly("in-process");
		});
	}

	@Test
	void itStopsAndStartsAgain() {
		this.runner.run((context) -> {
			InProcessServerLifecycle lifecycle = context.getBean(InProcessServerLifecycle.class);
			lifecycle.stop();
			assertThat(lifecycle.isRunning()).isFalse();
			try (InProcessClient inProcess = new InProcessClient()) {
				assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> inProcess.hello("Ada"));
			}
			lifecycle.start();
			try (InProcessClient inProcess = new InProcessClient()) {
				assertThat(inProcess.hello("Ada")).isEqualTo("Hello Ada");
			}
		});
	}

	@Test
	void aListenerThatFailsDoesNotKeepItFromStopping() {
		this.runner.withPropertyValues("grpc.server.factory.enabled=false")
			.withBean(FailingListener.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aNameThatIsTakenStopsTheStartAndLeavesNothing() {
		this.runner.run((first) -> {
			this.runner.run((second) -> assertThat(second).getFailure()
				.cause()
				.hasMessageContaining("could not start with the name 'greeter'")
				.extracting("action")
				.asString()
				.contains("grpc.server.inprocess.name"));
			try (InProcessClient inProcess = new InProcessClient()) {
				assertThat(inProcess.hello("Ada")).isEqualTo("Hello Ada");
			}
		});
	}

	@Test
	void aChildContextHasNone() {
		this.runner.run((parent) -> this.runner.withParent(parent).run((child) -> {
			assertThat(child).hasNotFailed();
			assertThat(child.containsLocalBean("grpcLoopInProcessServerLifecycle")).isFalse();
			assertThat(child.containsLocalBean("grpcLoopServerLifecycle")).isFalse();
		}));
	}

	@Test
	void aNameWithoutTheLibraryStopsTheStart() {
		this.runner.withClassLoader(new FilteredClassLoader("io.grpc.inprocess"))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"grpc.server.inprocess.name is 'greeter', but grpc-inprocess is not on the class"));
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("io.grpc.inprocess"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static final class InProcessClient implements AutoCloseable {

		private final ManagedChannel channel = InProcessChannelBuilder.forName("greeter").build();

		String hello(String name) {
			return stub(this.channel).hello(GreeterService.request(name)).getMessage();
		}

		private static GreeterGrpc.GreeterBlockingStub stub(Channel channel) {
			return GreeterGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
		}

		@Override
		public void close() {
			this.channel.shutdownNow();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Watcher {

		final List<String> threads = new CopyOnWriteArrayList<>();

		@Bean
		@GlobalServerInterceptor
		ServerInterceptor watching() {
			return new ServerInterceptor() {

				@Override
				public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(ServerCall<ReqT, RespT> call,
						Metadata headers, ServerCallHandler<ReqT, RespT> next) {
					Watcher.this.threads.add(Thread.currentThread().getName());
					return next.startCall(call, headers);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NetworkOnly {

		final List<String> customized = new CopyOnWriteArrayList<>();

		@Bean
		ServerServiceDefinitionFilter networkOnly() {
			return (service, factory) -> isOnTheNetwork(factory)
					|| !service.getServiceDescriptor().getName().equals("test.v1.Greeter");
		}

		private static boolean isOnTheNetwork(GrpcServerFactory factory) {
			return factory instanceof EventLoopGrpcServerFactory;
		}

		@Bean
		ServerBuilderCustomizer<InProcessServerBuilder> inProcess() {
			return (builder) -> this.customized.add("in-process");
		}

	}

	static class FailingListener implements ApplicationListener<GrpcServerShutdownEvent> {

		@Override
		public void onApplicationEvent(GrpcServerShutdownEvent event) {
			throw new IllegalStateException("listener");
		}

	}

}
