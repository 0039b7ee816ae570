package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The numbers that leave the engine: every beginning has its end, whatever way it comes.
 */
class TelemetryTests {

	private static final String UNARY = "t.Echo/Unary";

	private static final String BIDI = "t.Echo/Bidi";

	@EveryVariant
	void callsAndMessagesAreCountedByMethod(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		BytesValue message = Messages.ofSize(1000, 1);
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry);
		})) {
			for (int i = 0; i < 10; i++) {
				server.blocking().unary(message);
			}
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			for (int i = 0; i < 7; i++) {
				requests.onNext(message);
			}
			requests.onCompleted();
			responses.all();
			RecordingTelemetry.Method unary = telemetry.method(UNARY);
			assertThat(unary.started).hasValue(10);
			assertThat(unary.codes()).hasSize(10).containsOnly(Status.Code.OK);
			assertThat(unary.messagesReceived).hasValue(10);
			assertThat(unary.messagesSent).hasValue(10);
			assertThat(unary.bytesReceived).hasValue(10_000);
			assertThat(unary.bytesSent).hasValue(10_000);
			RecordingTelemetry.Method bidi = telemetry.method(BIDI);
			assertThat(bidi.started).hasValue(1);
			assertThat(bidi.codes()).containsExactly(Status.Code.OK);
			assertThat(bidi.messagesReceived).hasValue(7);
			assertThat(bidi.messagesSent).hasValue(7);
			assertThat(telemetry.method("t.Echo/ServerStream").started).hasValue(0);
			assertThat(telemetry.connectionsOpened).hasValue(1);
			assertThat(telemetry.handshakes).hasValue(1);
			assertThat(telemetry.streamsOpened).hasValue(11);
			assertThat(telemetry.connectionsClosed).hasValue(0);
			assertThat(telemetry.bytesReceived.get()).isBetween(17_000L, 30_000L);
			assertThat(telemetry.bytesSent.get()).isBetween(17_000L, 30_000L);
		}
		assertThat(telemetry.connectionsClosed).hasValue(1);
		assertThat(telemetry.isBalanced()).isTrue();
		assertThat(telemetry.faults).isEmpty();
		assertThat(telemetry.resetsSent).isEmpty();
	}

	@BothModes
	void anErrorOfTheServiceIsRecordedAsTheClientWasTold(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				responses.onError(Status.CANCELLED.withDescription("not by the client").asException());
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(service).telemetry(telemetry))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.CANCELLED);
			assertThat(telemetry.method(UNARY).closed).singleElement().satisfies((status) -> {
				assertThat(status.getCode()).isEqualTo(Status.Code.CANCELLED);
				assertThat(status.getDescription()).isEqualTo("not by the client");
			});
			assertThat(telemetry.method(UNARY).cancelled).hasValue(0);
			assertThat(telemetry.method(UNARY).messagesSent).hasValue(0);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void aCancelledCallIsRecordedAsCancelledWithItsReset(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			requests.onNext(Messages.text("a"));
			responses.next();
			assertThat(telemetry.running).hasValue(1);
			requests.onError(Status.CANCELLED.asException());
			Eventually.until("the call has ended", () -> telemetry.running.get() == 0);
			assertThat(telemetry.method(BIDI).codes()).containsExactly(Status.Code.CANCELLED);
			assertThat(telemetry.method(BIDI).cancelled).hasValue(1);
			assertThat(telemetry.resetsReceived).containsExactly(Http2Error.CANCEL.code());
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void callsOfALostConnectionAreRecordedAsCancelled(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				server.async().bidi(responses).onNext(Messages.text("a"));
				responses.next();
			}
			server.channel().shutdownNow();
			Eventually.until("the connection is closed", () -> telemetry.connectionsClosed.get() == 1);
			assertThat(telemetry.method(BIDI).codes()).hasSize(5).containsOnly(Status.Code.CANCELLED);
			assertThat(telemetry.method(BIDI).cancelled).hasValue(5);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void allUnknownMethodsShareOneRecorder(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			for (int i = 0; i < 10; i++) {
				MethodDescriptor<BytesValue, BytesValue> unknown = EchoGrpc.getUnaryMethod()
					.toBuilder()
					.setFullMethodName("made.Up/Method" + i)
					.build();
				CountDownLatch ended = new CountDownLatch(1);
				ClientCall<BytesValue, BytesValue> call = server.channel().newCall(unknown, CallOptions.DEFAULT);
				call.start(new ClientCall.Listener<>() {

					@Override
					public void onClose(Status status, Metadata trailers) {
						ended.countDown();
					}

				}, new Metadata());
				call.sendMessage(Messages.text("a"));
				call.halfClose();
				ended.await();
			}
			RecordingTelemetry.Method unknown = telemetry.method(RecordingTelemetry.UNKNOWN);
			assertThat(unknown.started).hasValue(10);
			assertThat(unknown.codes()).hasSize(10).containsOnly(Status.Code.UNIMPLEMENTED);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void methodsOfTheFallbackRegistryHaveTheirOwnRecorders(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		MutableHandlerRegistry registry = new MutableHandlerRegistry();
		registry.addService(new EchoService());
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.fallbackHandlerRegistry(registry).telemetry(telemetry))) {
			server.blocking().unary(Messages.text("a"));
			server.blocking().unary(Messages.text("b"));
			assertThat(telemetry.method(UNARY).codes()).containsExactly(Status.Code.OK, Status.Code.OK);
			assertThat(telemetry.method(RecordingTelemetry.UNKNOWN).started).hasValue(0);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void aCallThatTheServerRefusesToReadIsRecordedWithThatStatus(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry).maxInboundMessageSize(100);
		})) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.ofSize(101, 1), responses);
			responses.end();
			assertThat(telemetry.method(UNARY).codes()).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(telemetry.method(UNARY).messagesReceived).hasValue(0);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void callsThatShutdownNowCancelsAreRecorded(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().bidi(responses).onNext(Messages.text("a"));
			responses.next();
			server.server().shutdownNow();
			responses.end();
			server.server().awaitTermination();
			assertThat(telemetry.method(BIDI).closed).singleElement()
				.satisfies((status) -> assertThat(status.isOk()).isFalse());
			assertThat(telemetry.connectionsClosed).hasValue(1);
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@BothModes
	void aStreamWithoutCreditIsAStall(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			server.newChannel((builder) -> builder.flowControlWindow(65535));
			server.blocking().unary(Messages.text("small"));
			assertThat(telemetry.stalls).hasValue(0);
			server.blocking().unary(Messages.ofSize(TestServer.MIB, 1));
			assertThat(telemetry.stalls).hasPositiveValue();
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@EveryVariant
	void everyLoopHasARecorderOfItsOwn(Variant variant) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry).workers(3);
		})) {
			assertThat(telemetry.loops).hasValue(3);
			for (int i = 0; i < 6; i++) {
				int number = i;
				EchoGrpc.EchoBlockingStub stub = EchoGrpc
					.newBlockingStub(server.newChannel((builder) -> builder.userAgent("client " + number)));
				assertThat(stub.unary(Messages.number(i))).isEqualTo(Messages.number(i));
			}
			assertThat(telemetry.connectionsOpened).hasValue(6);
			assertThat(telemetry.method(UNARY).codes()).hasSize(6);
		}
		assertThat(telemetry.isBalanced()).isTrue();
		assertThat(telemetry.faults).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void aLoopTellsHowLongItWorksAndHowLongItWaits(Backend backend) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		long block = TimeUnit.MILLISECONDS.toNanos(2);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				long end = System.nanoTime() + block;
				while (System.nanoTime() < end) {
					Thread.onSpinWait();
				}
				super.unary(request, responses);
			}

		};
		long begin = System.nanoTime();
		try (TestServer server = TestServer.start((builder) -> builder.directExecutor()
			.backend(backend)
			.workers(2)
			.addService(service)
			.telemetry(telemetry))) {
			for (int i = 0; i < 20; i++) {
				server.blocking().unary(Messages.text("a"));
			}
			Eventually.until("the loop has waited", () -> {
				server.blocking().unary(Messages.text("a"));
				return telemetry.waitedNanos.get() >= block;
			});
			assertThat(telemetry.busyNanos).hasValueGreaterThanOrEqualTo(20 * block);
			assertThat(telemetry.longestBusyNanos).hasValueGreaterThanOrEqualTo(block);
		}
		long all = 2 * (System.nanoTime() - begin);
		assertThat(telemetry.busyNanos.get() + telemetry.waitedNanos.get()).isLessThanOrEqualTo(all);
		assertThat(telemetry.faults).isEmpty();
		assertThat(telemetry.isBalanced()).isTrue();
	}

	@Test
	void anotherOnesLoopsAreNotMeasuredAndTellWhatWaitsForThem() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		try (TestServer server = TestServer.echo((builder) -> builder.eventLoopGroup(group).telemetry(telemetry))) {
			server.blocking().unary(Messages.text("a"));
			group.execute(() -> {
				blocked.countDown();
				awaitUninterruptibly(goOn);
			});
			blocked.await();
			int before = server.server().getPendingTasks(0);
			for (int i = 0; i < 5; i++) {
				group.execute(() -> {
				});
			}
			assertThat(server.server().getPendingTasks(0)).isEqualTo(before + 5);
			goOn.countDown();
			Eventually.until("nothing waits", () -> server.server().getPendingTasks(0) == 0);
			assertThat(telemetry.waitedNanos).hasValue(0);
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> server.server().getPendingTasks(1));
		}
		finally {
			goOn.countDown();
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void aLoopThatEndsEndsItsConnectionsByShutdown() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		IoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
		try (TestServer server = TestServer.echo((builder) -> builder.eventLoopGroup(group).telemetry(telemetry))) {
			server.blocking().unary(Messages.text("a"));
			group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
			assertThat(telemetry.closeReasons).containsExactly(CloseReason.SHUTDOWN);
		}
	}

	@Test
	void whatIsHandedToAnExecutorIsBegunOrRejected() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				blocked.countDown();
				awaitUninterruptibly(goOn);
				super.unary(request, responses);
			}

		};
		try (TestServer server = TestServer
			.start((builder) -> builder.executor(pool).addService(service).telemetry(telemetry))) {
			List<RecordingObserver<BytesValue>> calls = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				calls.add(responses);
				server.async().unary(Messages.text("a"), responses);
				blocked.await();
			}
			// one runs, one waits for the thread, and there is no room for the third
			assertThat(calls.get(2).status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(telemetry.executor.rejected).hasValue(1);
			assertThat(telemetry.executor.handedOver.get()).isEqualTo(telemetry.executor.begun.get() + 2);
			goOn.countDown();
			assertThat(calls.get(1).all()).hasSize(1);
			assertThat(telemetry.executor.longestWaitNanos).hasPositiveValue();
		}
		finally {
			goOn.countDown();
			pool.shutdown();
		}
		assertThat(telemetry.executor.begun.get() + telemetry.executor.rejected.get())
			.isEqualTo(telemetry.executor.handedOver.get());
		assertThat(telemetry.isBalanced()).isTrue();
	}

}
