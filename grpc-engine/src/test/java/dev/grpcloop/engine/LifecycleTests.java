package dev.grpcloop.engine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The life of a server, from its start until nothing is left of it.
 */
class LifecycleTests {

	@AfterEach
	void noThreadIsLeft() {
		EngineThreads.assertNoneLeft();
	}

	@EveryVariant
	void shutdownLetsRunningCallsFinishAndTakesNoNewOnes(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(Messages.text("before"));
			responses.next();
			int port = server.server().getPort();
			assertThat(server.server().isShutdown()).isFalse();
			server.server().shutdown();
			assertThat(server.server().isShutdown()).isTrue();
			assertThat(server.server().getListenSockets()).isEmpty();
			// the client is told to go elsewhere, and there is no other place
			Eventually.until("new calls are refused", () -> {
				RecordingObserver<BytesValue> refused = new RecordingObserver<>();
				server.async().unary(Messages.text("new"), refused);
				return refused.status().getCode() == Status.Code.UNAVAILABLE;
			});
			Eventually.asserted(() -> ListenTests.assertRefused("127.0.0.1", port));
			assertThat(server.server().isTerminated()).isFalse();
			assertThat(server.server().awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
			for (int i = 0; i < 10; i++) {
				requests.onNext(Messages.number(i));
				assertThat(responses.next()).isEqualTo(Messages.number(i));
			}
			requests.onCompleted();
			assertThat(responses.all()).isEmpty();
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().isTerminated()).isTrue();
		}
	}

	@EveryVariant
	void shutdownLosesNoCallThatWasBegun(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			List<StreamObserver<BytesValue>> streams = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				streams.add(server.async().bidi(responses));
				streams.get(i).onNext(Messages.number(i));
			}
			all.get(49).next();
			server.server().shutdown();
			for (int i = 0; i < 50; i++) {
				streams.get(i).onNext(Messages.ofSize(50_000, i));
				streams.get(i).onCompleted();
			}
			for (int i = 0; i < 49; i++) {
				assertThat(all.get(i).all()).containsExactly(Messages.number(i), Messages.ofSize(50_000, i));
			}
			assertThat(all.get(49).all()).containsExactly(Messages.ofSize(50_000, 49));
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@EveryVariant
	void callsThatComeWhileTheServerGoesEndOneWayOrTheOther(Variant variant) throws Exception {
		try (TestServer server = TestServer.echo(variant::apply)) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			AtomicInteger unavailable = new AtomicInteger();
			for (int i = 0; i < 300; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				server.async().unary(Messages.number(i), responses);
				if (i == 100) {
					all.get(50).end();
					server.server().shutdown();
				}
			}
			for (RecordingObserver<BytesValue> responses : all) {
				Status.Code code = responses.status().getCode();
				assertThat(code).isIn(Status.Code.OK, Status.Code.UNAVAILABLE);
				if (code == Status.Code.UNAVAILABLE) {
					unavailable.incrementAndGet();
				}
			}
			assertThat(unavailable).hasValueLessThan(200);
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@EveryVariant
	void shutdownNowCancelsWhatRuns(Variant variant) throws Exception {
		CountDownLatch cancelled = new CountDownLatch(5);
		EchoService service = new EchoService() {

			@Override
			public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
				((ServerCallStreamObserver<BytesValue>) responses).setOnCancelHandler(cancelled::countDown);
				return super.bidi(responses);
			}

		};
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(service))) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				server.async().bidi(responses).onNext(Messages.number(i));
				responses.next();
			}
			server.server().shutdownNow();
			for (RecordingObserver<BytesValue> responses : all) {
				assertThat(responses.status().getCode()).isIn(Status.Code.CANCELLED, Status.Code.UNAVAILABLE);
			}
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@BothModes
	void shutdownNowEndsWhatShutdownWaitsFor(Mode mode) throws Exception {
		try (TestServer server = TestServer.echo(mode::apply)) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses).onNext(Messages.text("a"));
			responses.next();
			server.server().shutdown();
			assertThat(server.server().isTerminated()).isFalse();
			server.server().shutdownNow();
			assertThat(responses.status().isOk()).isFalse();
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@BothModes
	void idleAndSilentConnectionsDoNotHoldTheServer(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
			try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
				Eventually.until("both are connected", () -> telemetry.connectionsOpened.get() == 2);
				server.server().shutdown();
				assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
				// the server's SETTINGS and GOAWAY, perhaps, and then the end
				assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(100);
			}
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@Test
	void aServiceThatIsBusyDoesNotHoldShutdownNow() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				busy.countDown();
				try {
					release.await(30, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer.start((builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
			server.server().shutdownNow();
			assertThat(responses.status().isOk()).isFalse();
			assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
			release.countDown();
		}
	}

	@Test
	void aServerThatNeverStartedCanBeShutDown() throws Exception {
		for (boolean now : new boolean[] { false, true }) {
			EventLoopServer server = EventLoopServerBuilder.forPort(0).build();
			assertThat(server.isShutdown()).isFalse();
			assertThat(server.isTerminated()).isFalse();
			if (now) {
				server.shutdownNow();
			}
			else {
				server.shutdown();
			}
			assertThat(server.isShutdown()).isTrue();
			server.awaitTermination();
			assertThat(server.isTerminated()).isTrue();
			assertThatIllegalStateException().isThrownBy(server::start).withMessageContaining("build another");
		}
	}

	@Test
	void aServerStartsOnce() throws Exception {
		try (TestServer server = TestServer.echo(Mode.ON_THE_LOOP::apply)) {
			assertThatIllegalStateException().isThrownBy(() -> server.server().start());
			assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
		}
	}

	@Test
	void shutdownMayBeSaidOften() throws Exception {
		try (TestServer server = TestServer.echo(Mode.ON_THE_LOOP::apply)) {
			server.blocking().unary(Messages.text("a"));
			server.server().shutdown().shutdown().shutdownNow().shutdown().shutdownNow();
			server.server().awaitTermination();
			server.server().shutdown().shutdownNow();
			assertThat(server.server().isTerminated()).isTrue();
		}
	}

	@EveryVariant
	void twentyLivesLeaveNoThreadAndNoSocket(Variant variant) throws Exception {
		for (int i = 0; i < 20; i++) {
			int port;
			try (TestServer server = TestServer.echo((builder) -> {
				variant.apply(builder);
				builder.workers(2);
			})) {
				port = server.server().getPort();
				assertThat(server.blocking().unary(Messages.number(i))).isEqualTo(Messages.number(i));
				assertThat(EngineThreads.names()).isNotEmpty();
				if (i % 2 == 0) {
					server.server().shutdown();
					assertThat(server.server().awaitTermination(10, TimeUnit.SECONDS)).isTrue();
				}
			}
			ListenTests.assertRefused("127.0.0.1", port);
		}
		EngineThreads.assertNoneLeft();
	}

	@Test
	void twoServersLiveBesideEachOther() throws Exception {
		try (TestServer first = TestServer.echo(Mode.OFF_THE_LOOP::apply);
				TestServer second = TestServer.echo(Mode.OFF_THE_LOOP::apply)) {
			first.blocking().unary(Messages.text("a"));
			second.blocking().unary(Messages.text("b"));
			first.server().shutdownNow().awaitTermination();
			assertThat(second.blocking().unary(Messages.text("c"))).isEqualTo(Messages.text("c"));
		}
	}

	@Test
	void aClientConnectsAgainToTheServersSuccessor() throws Exception {
		int port;
		ManagedChannel client;
		try (TestServer first = TestServer.echo(Mode.ON_THE_LOOP::apply)) {
			port = first.server().getPort();
			client = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
			EchoGrpc.newBlockingStub(client).unary(Messages.text("a"));
			first.server().shutdown().awaitTermination();
		}
		assertThatExceptionOfType(StatusRuntimeException.class)
			.isThrownBy(() -> EchoGrpc.newBlockingStub(client).unary(Messages.text("b")));
		EventLoopServer second = EventLoopServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
			.workers(1)
			.addService(new EchoService())
			.build()
			.start();
		assertThat(EchoGrpc.newBlockingStub(client).withWaitForReady().unary(Messages.text("c")))
			.isEqualTo(Messages.text("c"));
		client.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
		second.shutdownNow().awaitTermination();
	}

}
