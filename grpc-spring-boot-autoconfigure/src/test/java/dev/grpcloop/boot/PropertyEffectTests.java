package dev.grpcloop.boot;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import dev.grpcloop.engine.transport.Transport;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the properties change for a client.
 */
@Timeout(60)
class PropertyEffectTests {

	private static final int SETTINGS_FRAME = 4;

	/** RFC 9113 section 6.5.2. */
	private static final int MAX_CONCURRENT_STREAMS = 3;

	@ParameterizedTest
	@EnumSource(Transport.class)
	void everyBackendOfTheMachineServes(Transport transport) throws Exception {
		Assumptions.assumeTrue(transport.unavailabilityCause() == null);
		try (ConfigurableApplicationContext context = TestApplications.run(Greeter.class,
				"grpc.server.backend=" + transport.displayName()); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void modeEventLoopRunsServiceCodeOnTheLoop() throws Exception {
		assertThat(serviceThread("event-loop")).startsWith("Thread[").contains("grpc-loop");
	}

	@Test
	void modePlatformRunsServiceCodeOnThePool() throws Exception {
		assertThat(serviceThread("platform")).startsWith("Thread[").contains("grpc-call-");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void modeVirtualRunsServiceCodeOnVirtualThreads() throws Exception {
		assertThat(serviceThread("virtual")).startsWith("VirtualThread[").contains("grpc-call-");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_23)
	void modeAutoRunsServiceCodeOnThePoolBeforeJava24() throws Exception {
		assertThat(serviceThread("auto")).startsWith("Thread[").contains("grpc-call-");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void modeAutoRunsServiceCodeOnVirtualThreadsFromJava24() throws Exception {
		assertThat(serviceThread("auto")).startsWith("VirtualThread[").contains("grpc-call-");
	}

	private static String serviceThread(String mode) throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(ThreadTeller.class,
				"grpc.server.executor.mode=" + mode); GreeterClient client = GreeterClient.of(context)) {
			return client.hello("Ada");
		}
	}

	@Test
	void callsBeyondTheThreadsAndTheQueueAreTurnedAway() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Blocker.class,
				"grpc.server.executor.mode=platform", "grpc.server.executor.max-threads=2",
				"grpc.server.executor.queue-capacity=3"); GreeterClient client = GreeterClient.of(context)) {
			Blocker blocker = context.getBean(Blocker.class);
			List<CompletableFuture<String>> answers = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				answers.add(client.helloLater("Ada"));
			}
			assertThat(blocker.running.await(20, TimeUnit.SECONDS)).isTrue();
			for (int i = 0; i < 3; i++) {
				answers.add(client.helloLater("Ada"));
			}
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> client.helloLater("Ada").get(20, TimeUnit.SECONDS))
				.satisfies((ex) -> assertThat(Status.fromThrowable(ex).getCode())
					.isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
			blocker.release.countDown();
			for (CompletableFuture<String> answer : answers) {
				assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("Hello Ada");
			}
		}
	}

	@Test
	void aMessageBeyondTheLimitEndsItsCall() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Greeter.class,
				"grpc.server.inbound.message.max-size=1KB"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(client.hello("a".repeat(1000))).hasSize(1006);
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> client.hello("a".repeat(1025)))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@Test
	void metadataBeyondTheLimitEndsItsCall() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Greeter.class,
				"grpc.server.inbound.metadata.max-size=16KB"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(helloWithMetadata(client, 12_000)).isEqualTo("Hello Ada");
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> helloWithMetadata(client, 20_000));
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	private static String helloWithMetadata(GreeterClient client, int size) {
		Metadata metadata = new Metadata();
		metadata.put(Metadata.Key.of("filler", Metadata.ASCII_STRING_MARSHALLER), "a".repeat(size));
		return GreeterGrpc.newBlockingStub(client.channel())
			.withDeadlineAfter(20, TimeUnit.SECONDS)
			.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
			.hello(GreeterService.request("Ada"))
			.getMessage();
	}

	@Test
	void clientsAreToldHowManyCallsTheyMayOpen() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Greeter.class,
				"grpc.server.max-concurrent-calls-per-connection=7")) {
			int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
			assertThat(readSettings(port)).containsEntry(MAX_CONCURRENT_STREAMS, 7L);
		}
	}

	private static Map<Integer, Long> readSettings(int port) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(20_000);
			socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream().write(new byte[] { 0, 0, 0, SETTINGS_FRAME, 0, 0, 0, 0, 0 });
			DataInputStream input = new DataInputStream(socket.getInputStream());
			int length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
			assertThat(input.readUnsignedByte()).isEqualTo(SETTINGS_FRAME);
			input.skipNBytes(5);
			Map<Integer, Long> settings = new HashMap<>();
			for (int i = 0; i < length / 6; i++) {
				settings.put(input.readUnsignedShort(), input.readInt() & 0xFFFFFFFFL);
			}
			return settings;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Greeter {

	}

	/** Answers with the thread it runs on. */
	static class ThreadTeller extends GreeterGrpc.GreeterImplBase {

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			responses.onNext(HelloResponse.newBuilder().setMessage(Thread.currentThread().toString()).build());
			responses.onCompleted();
		}

	}

	/** Answers when it is told to. */
	static class Blocker extends GreeterGrpc.GreeterImplBase {

		final CountDownLatch running = new CountDownLatch(2);

		final CountDownLatch release = new CountDownLatch(1);

		@Override
		public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
			this.running.countDown();
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			responses.onNext(GreeterService.greeting(request.getName()));
			responses.onCompleted();
		}

	}

}
