package dev.grpcloop.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Which customizers of the application are called, and which are named instead.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class BuilderCustomizerTests {

	private static final String WARNING = "These ServerBuilderCustomizer beans do nothing";

	private final ApplicationContextRunner runner = TestApplications.runner();

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void thoseOfOurBuilderAndOfEveryBuilderAreCalledInOrderAfterTheProperties(CapturedOutput output) {
		this.runner.withPropertyValues("grpc.server.workers=2").withUserConfiguration(Ours.class).run((context) -> {
			assertThat(context.getBean(Ours.class).calls).containsExactly("lambda", "class", "generic", "wildcard",
					"raw", "any builder");
			assertThat(StartedServer.of(context).getWorkers()).isEqualTo(4);
		});
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void thoseOfAnotherBuilderAreNamedInOneWarning(CapturedOutput output) {
		this.runner.withUserConfiguration(Others.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Others.class).calls).isEmpty();
		});
		assertThat(output).containsOnlyOnce(WARNING)
			.contains("- 'nettyLambda' for io.grpc.netty.NettyServerBuilder")
			.contains("- 'nettyClass' for io.grpc.netty.NettyServerBuilder")
			.contains("- 'nettyRaw' for a type that it does not declare")
			.contains("- 'inProcess' for io.grpc.inprocess.InProcessServerBuilder")
			.contains("dev.grpcloop.engine.EventLoopServerBuilder");
	}

	@Test
	void thoseOfTheInProcessServerAreNotNamedWhereThereIsOne(CapturedOutput output) {
		this.runner.withUserConfiguration(InProcess.class)
			.withBean(InProcessGrpcServerFactory.class, () -> new InProcessGrpcServerFactory("test", List.of()))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void anExceptionOfACustomizerStopsTheStart() {
		assertThatException().isThrownBy(() -> TestApplications.run(Failing.class))
			.withRootCauseInstanceOf(ClassCastException.class)
			.withStackTraceContaining("not for your eyes");
	}

	@Configuration(proxyBeanMethods = false)
	static class Ours {

		final List<String> calls = new ArrayList<>();

		@Bean
		@Order(1)
		ServerBuilderCustomizer<EventLoopServerBuilder> lambda() {
			return (builder) -> {
				this.calls.add("lambda");
				builder.workers(3);
			};
		}

		@Bean
		@Order(2)
		OwnCustomizer ofAClass() {
			return new OwnCustomizer(this.calls);
		}

		@Bean
		@Order(3)
		<T extends ServerBuilder<T>> ServerBuilderCustomizer<T> generic() {
			return (builder) -> this.calls.add("generic");
		}

		@Bean
		@Order(4)
		ServerBuilderCustomizer<?> wildcard() {
			ServerBuilderCustomizer<EventLoopServerBuilder> customizer = (builder) -> {
				this.calls.add("wildcard");
				builder.workers(4);
			};
			return customizer;
		}

		@Bean
		@Order(5)
		@SuppressWarnings("rawtypes")
		ServerBuilderCustomizer raw() {
			return (builder) -> this.calls.add("raw");
		}

		@Bean
		@Order(6)
		AnyBuilder<?> anyBuilder() {
			return new AnyBuilder<>(this.calls);
		}

	}

	record OwnCustomizer(List<String> calls) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

		@Override
		public void customize(EventLoopServerBuilder builder) {
			this.calls.add("class");
		}

	}

	record AnyBuilder<T extends ServerBuilder<T>>(List<String> calls) implements ServerBuilderCustomizer<T> {

		@Override
		public void customize(T builder) {
			this.calls.add("any builder");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Others {

		final List<String> calls = new ArrayList<>();

		@Bean
		ServerBuilderCustomizer<NettyServerBuilder> nettyLambda() {
			return (builder) -> this.calls.add("lambda");
		}

		@Bean
		NettyCustomizer nettyClass() {
			return new NettyCustomizer(this.calls);
		}

		@Bean
		@SuppressWarnings("rawtypes")
		ServerBuilderCustomizer nettyRaw() {
			ServerBuilderCustomizer<NettyServerBuilder> customizer = (builder) -> this.calls.add("raw");
			return customizer;
		}

		@Bean
		ServerBuilderCustomizer<InProcessServerBuilder> inProcess() {
			return (builder) -> this.calls.add("in-process");
		}

	}

	record NettyCustomizer(List<String> calls) implements ServerBuilderCustomizer<NettyServerBuilder> {

		@Override
		public void customize(NettyServerBuilder builder) {
			this.calls.add("class");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InProcess {

		@Bean
		ServerBuilderCustomizer<InProcessServerBuilder> inProcess() {
			return (builder) -> {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Failing {

		@Bean
		ServerBuilderCustomizer<EventLoopServerBuilder> failing() {
			return (builder) -> {
				throw new ClassCastException(EventLoopServerBuilder.class.getName() + ": not for your eyes");
			};
		}

	}

}
