package dev.grpcloop.boot;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * {@link Blocking} and {@link NonBlocking}: the services answer with the name of the
 * thread they run on.
 */
class MethodPlacementTests {

	private static final String LOOP = "Hello grpc-loop";

	@ParameterizedTest
	@ValueSource(strings = { "event-loop", "platform" })
	void annotationsCountForMoreThanTheMode(String mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Mixed.class,
				"grpc.server.executor.mode=" + mode); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("")).as("@NonBlocking on the method").startsWith(LOOP);
			assertThat(client.repeat("")).as("@Blocking on the class")
				.allSatisfy((answer) -> assertThat(answer).doesNotStartWith(LOOP));
		}
	}

	@Test
	void whatIsNotAnnotatedRunsWhereTheModeSays() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Partly.class,
				"grpc.server.executor.mode=event-loop"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("")).startsWith(LOOP);
			assertThat(client.repeat("")).allSatisfy((answer) -> assertThat(answer).doesNotStartWith(LOOP));
		}
	}

	@Test
	void annotationsAreSeenThroughAProxy() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Proxied.class,
				"grpc.server.executor.mode=event-loop"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("")).startsWith(LOOP);
			assertThat(client.repeat("")).allSatisfy((answer) -> assertThat(answer).doesNotStartWith(LOOP));
		}
	}

	@Test
	void bothAnnotationsOnOneElementStopTheStart() {
		assertThatThrownBy(() -> TestApplications.run(Contradictory.class)).rootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.hasMessageContaining("ContradictoryService")
			.hasMessageContaining("both @Blocking and @NonBlocking");
	}

	@Test
	void anAnnotationOnAMethodThatServesNoCallStopsTheStart() {
		assertThatThrownBy(() -> TestApplications.run(Misplaced.class)).rootCause()
			.isInstanceOf(FailureAnalyzedException.class)
			.hasMessageContaining("MisplacedService.helper")
			.hasMessageContaining("test.v1.Farewell");
	}

	private static HelloResponse thread() {
		return GreeterService.greeting(Thread.currentThread().getName());
	}

	@Configuration(proxyBeanMethods = false)
	@Import(MixedService.class)
	static class Mixed {

	}

	@Blocking
	static class MixedService extends GreeterGrpc.GreeterImplBase {

		@Override
		@NonBlocking
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(thread());
			responses.onCompleted();
		}

		@Override
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(thread());
			responses.onCompleted();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PartlyService.class)
	static class Partly {

	}

	static class PartlyService extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(thread());
			responses.onCompleted();
		}

		@Override
		@Blocking
		public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(thread());
			responses.onCompleted();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxied {

		@Bean
		PartlyService proxied() {
			ProxyFactory proxy = new ProxyFactory(new PartlyService());
			proxy.setProxyTargetClass(true);
			return (PartlyService) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ContradictoryService.class)
	static class Contradictory {

	}

	@Blocking
	@NonBlocking
	static class ContradictoryService extends FarewellGrpc.FarewellImplBase {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(MisplacedService.class)
	static class Misplaced {

	}

	static class MisplacedService extends FarewellGrpc.FarewellImplBase {

		@Blocking
		void helper() {
		}

	}

}
