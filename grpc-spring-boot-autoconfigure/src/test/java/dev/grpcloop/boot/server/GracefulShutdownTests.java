package dev.grpcloop.boot.server;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What clients see of a stop, step by step.
 */
@Timeout(60)
class GracefulShutdownTests {

	private static final String GREETER = "test.v1.Greeter";

	private static final String ENDLESS_DELAY = "grpc.server.shutdown.drain-delay=1h";

	@AfterEach
	void noThreadIsLeft() {
		ServerThreads.awaitNone();
	}

	@Test
	void duringTheDelayNewCallsAreServedAndHealthSaysNotServing() throws Exception {
		ConfigurableApplicationContext context = run(ENDLESS_DELAY, "spring.lifecycle.timeout-per-shutdown-phase=1h");
		int port = StartedServer.of(context).getPort();
		HealthStatusManager manager = context.getBean(HealthStatusManager.class);
		manager.setStatus(GREETER, ServingStatus.SERVING);
		try (GreeterClient client = GreeterClient.of(context); GreeterClient later = GreeterClient.of(context)) {
			HealthWatch server = HealthWatch.of(client.channel(), HealthWatch.SERVER);
			HealthWatch greeter = HealthWatch.of(client.channel(), GREETER);
			awaitStatuses(server, ServingStatus.SERVING);
			awaitStatuses(greeter, ServingStatus.SERVING);
			CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
			awaitStatuses(server, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
			awaitStatuses(greeter, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			assertThat(later.hello("Ada")).isEqualTo("Hello Ada");
			// the application must not lure clients back
			manager.setStatus(HealthWatch.SERVER, ServingStatus.SERVING);
			assertThat(HealthWatch.check(later.channel(), HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			assertThat(closed).isNotDone();
			shutdownThread().interrupt();
			closed.get(20, TimeUnit.SECONDS);
			assertRefusesConnections(port);
		}
	}

	@Test
	void afterTheDelayTheServerDoesNotListenAndItsCallsGoOn() throws Exception {
		ConfigurableApplicationContext context = run("grpc.server.shutdown.drain-delay=50ms");
		Greeter greeter = context.getBean(Greeter.class);
		try (GreeterClient client = GreeterClient.of(context)) {
			CompletableFuture<String> answer = client.helloLater("slow");
			greeter.running.await();
			int port = StartedServer.of(context).getPort();
			CountDownLatch stopped = new CountDownLatch(1);
			lifecycle(context).stop(stopped::countDown);
			assertRefusesConnections(port);
			assertThat(answer).isNotDone();
			assertThat(stopped.getCount()).isEqualTo(1);
			greeter.release.countDown();
			assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("Hello slow");
			assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
		}
		context.close();
	}

	@Test
	void withoutADelayTheServerNoLongerListensWhenTheStopReturns() {
		ConfigurableApplicationContext context = run();
		CountDownLatch stopped = new CountDownLatch(1);
		lifecycle(context).stop(stopped::countDown);
		assertThat(StartedServer.of(context).isShutdown()).isTrue();
		context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "10ms" })
	void anEndlessStreamEndsWithTheGracePeriod(String drainDelay) throws Exception {
		ConfigurableApplicationContext context = run("grpc.server.shutdown.drain-delay=" + drainDelay,
				"grpc.server.shutdown.grace-period=50ms", "spring.lifecycle.timeout-per-shutdown-phase=1h");
		try (GreeterClient client = GreeterClient.of(context)) {
			Endless stream = new Endless();
			StreamObserver<HelloRequest> requests = GreeterGrpc.newStub(client.channel()).chat(stream);
			requests.onNext(GreeterService.request("Ada"));
			stream.begun.await();
			context.close();
			assertThat(Status.fromThrowable(stream.end.get(20, TimeUnit.SECONDS)).getCode())
				.isIn(Status.Code.UNAVAILABLE, Status.Code.CANCELLED);
		}
	}

	@Test
	void aDelayThatThePhaseDoesNotWaitForEndsWithIt() throws Exception {
		ConfigurableApplicationContext context = run(ENDLESS_DELAY, "spring.lifecycle.timeout-per-shutdown-phase=10ms");
		int port = StartedServer.of(context).getPort();
		context.close();
		assertRefusesConnections(port);
	}

	@Test
	void aStartEndsTheDelayOfTheServerBefore() throws Exception {
		try (ConfigurableApplicationContext context = run(ENDLESS_DELAY, "grpc.server.shutdown.grace-period=1h",
				"spring.lifecycle.timeout-per-shutdown-phase=10ms")) {
			CountDownLatch stopped = new CountDownLatch(1);
			lifecycle(context).stop(stopped::countDown);
			lifecycle(context).start();
			assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
		}
	}

	private static ConfigurableApplicationContext run(String... properties) {
		return TestApplications.run(Greeter.class, properties);
	}

	private static void awaitStatuses(HealthWatch watch, ServingStatus... statuses) {
		Awaitility.await().untilAsserted(() -> assertThat(watch.statuses()).containsExactly(statuses));
	}

	private static Thread shutdownThread() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("grpc-server-shutdown"))
			.findFirst()
			.orElseThrow();
	}

	private static void assertRefusesConnections(int port) {
		Awaitility.await().untilAsserted(() -> assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
			try (Socket socket = new Socket("127.0.0.1", port)) {
				assertThat(socket.isConnected()).isTrue();
			}
		}));
	}

	private static EventLoopGrpcServerLifecycle lifecycle(ConfigurableApplicationContext context) {
		return context.getBean(EventLoopGrpcServerLifecycle.class);
	}

	/** Greets; {@code slow} only when it is told to. */
	static class Greeter extends GreeterService {

		final CountDownLatch running = new CountDownLatch(1);

		final CountDownLatch release = new CountDownLatch(1);

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			if (request.getName().equals("slow")) {
				this.running.countDown();
				try {
					this.release.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			super.hello(request, responses);
		}

	}

	/** A stream that the client never ends. */
	static class Endless implements StreamObserver<HelloResponse> {

		final CountDownLatch begun = new CountDownLatch(1);

		final CompletableFuture<Throwable> end = new CompletableFuture<>();

		@Override
		public void onNext(HelloResponse response) {
			this.begun.countDown();
		}

		@Override
		public void onError(Throwable ex) {
			this.end.complete(ex);
		}

		@Override
		public void onCompleted() {
			this.end.completeExceptionally(new AssertionError("nobody has ended the stream"));
		}

	}

}
