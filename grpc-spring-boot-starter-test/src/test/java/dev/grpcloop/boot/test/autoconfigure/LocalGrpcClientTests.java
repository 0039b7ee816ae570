package dev.grpcloop.boot.test.autoconfigure;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

@SpringBootTest(classes = TestedApplication.class)
class LocalGrpcClientTests extends AbstractGreeterTests {

	@Autowired
	private GreeterGrpc.GreeterBlockingStub blocking;

	@Autowired
	private GreeterGrpc.GreeterBlockingV2Stub blockingV2;

	@Autowired
	private GreeterGrpc.GreeterFutureStub future;

	@Autowired
	private GreeterGrpc.GreeterStub async;

	@Autowired
	private Channel channel;

	private final ManagedChannel managedChannel;

	private GreeterGrpc.@org.jspecify.annotations.Nullable GreeterBlockingStub ofMethod;

	LocalGrpcClientTests(@Autowired ManagedChannel channel) {
		this.managedChannel = channel;
	}

	@Autowired
	void method(GreeterGrpc.GreeterBlockingStub stub) {
		this.ofMethod = stub;
	}

	@Test
	void blockingStubsAreInjected() throws Exception {
		assertThat(this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(this.blockingV2.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void futureStubsAreInjected() throws Exception {
		assertThat(this.future.hello(Requests.ADA).get(30, TimeUnit.SECONDS).getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void asynchronousStubsAreInjected() {
		@SuppressWarnings("unchecked")
		StreamObserver<HelloResponse> responses = mock(StreamObserver.class);
		this.async.hello(Requests.ADA, responses);
		verify(responses, timeout(30_000)).onNext(HelloResponse.newBuilder().setMessage("Hello Ada").build());
	}

	@Test
	void channelsAreInjected() {
		assertThat(GreeterGrpc.newBlockingStub(this.channel).hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(GreeterGrpc.newBlockingStub(this.managedChannel).hello(Requests.ADA).getMessage())
			.isEqualTo("Hello Ada");
	}

	@Test
	void parametersAreInjected(@Autowired GreeterGrpc.GreeterBlockingStub stub) {
		assertThat(stub.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(this.ofMethod).isNotNull();
	}

	@Test
	void providersAreInjected(@Autowired ObjectProvider<GreeterGrpc.GreeterBlockingStub> provider,
			@Autowired Optional<FarewellGrpc.FarewellBlockingStub> optional) {
		assertThat(provider.getObject().hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(optional.orElseThrow().bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
	}

	@Test
	void superclassesAreInjected() {
		assertThat(this.inherited.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void stubsOfServicesThatAreNoBeansAreInjected(@Autowired HealthGrpc.HealthBlockingStub health) {
		assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
			.isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
	}

	@Test
	void theApplicationDoesNotSeeThem(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(Channel.class)).isEmpty();
		assertThat(context.getBeanProvider(GreeterGrpc.GreeterBlockingStub.class).getIfAvailable()).isNull();
	}

	@Test
	void aChannelThatATestHasShutDownServesTheNext() throws Exception {
		assertThat(this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		this.managedChannel.shutdownNow();
		assertThat(this.managedChannel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.managedChannel.isShutdown()).isTrue();
		assertThat(this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		assertThat(this.managedChannel.isShutdown()).isFalse();
	}

	@Test
	void theyFollowTheServerToItsNextPort(@Autowired GrpcServerLifecycle server) {
		assertThat(this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		server.stop();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> this.blocking.hello(Requests.ADA))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
		server.start();
		assertThat(this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@Nested
	class InNestedClasses {

		@Autowired
		private FarewellGrpc.FarewellBlockingStub nested;

		@Test
		void theyAreInjectedToo() {
			assertThat(this.nested.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
			assertThat(LocalGrpcClientTests.this.blocking.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

	}

	/** The context closes while a call is open, and need not wait for it. */
	@Test
	void aCallThatIsLeftOpenIsNobodysTrouble() {
		Iterator<HelloResponse> responses = this.blocking.repeat(Requests.ADA);
		assertThat(responses.next().getMessage()).isEqualTo("first");
	}

}
