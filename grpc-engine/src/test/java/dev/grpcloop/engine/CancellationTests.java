package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that the client gives up, or loses (case B25).
 */
class CancellationTests {

	@EveryVariant
	void aCancelledCallIsCancelledForTheServiceOnce(Variant variant) throws Exception {
		Watched service = new Watched();
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(service))) {
			ClientCall<BytesValue, BytesValue> call = bidi(server.channel());
			call.sendMessage(Messages.text("a"));
			service.await("message");
			call.cancel("enough", null);
			service.await("cancel");
			service.await("context");
			pass(server);
			assertThat(service.events).containsExactlyInAnyOrder("start", "message", "context", "cancel");
			assertThat(service.call.isCancelled()).isTrue();
			assertThat(service.context.isCancelled()).isTrue();
			assertThat(Status.fromThrowable(service.context.cancellationCause()).getCode())
				.isEqualTo(Status.Code.CANCELLED);
			assertThat(service.call.isReady()).isFalse();
		}
	}

	@EveryVariant
	void aLostConnectionCancelsItsCalls(Variant variant) throws Exception {
		Watched service = new Watched();
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(service))) {
			ClientCall<BytesValue, BytesValue> call = bidi(server.channel());
			call.sendMessage(Messages.text("a"));
			call.halfClose();
			service.await("half-close");
			server.channel().shutdownNow();
			service.await("cancel");
			service.await("context");
			assertThat(service.call.isCancelled()).isTrue();
		}
	}

	@BothModes
	void theClientsDeadlineCancelsTheCall(Mode mode) throws Exception {
		Watched service = new Watched();
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().withDeadlineAfter(200, TimeUnit.MILLISECONDS).bidi(responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
			service.await("cancel");
			service.await("context");
		}
	}

	@Test
	void aBusyServiceOffTheLoopHearsOfItAtOnceThroughItsContext() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch contextCancelled = new CountDownLatch(1);
		List<String> events = new CopyOnWriteArrayList<>();
		CountDownLatch onCancel = new CountDownLatch(1);
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
				call.setOnCancelHandler(() -> {
					events.add("onCancel");
					onCancel.countDown();
				});
				Context context = Context.current();
				context.addListener((cancelled) -> contextCancelled.countDown(), Runnable::run);
				busy.countDown();
				try {
					events.add(contextCancelled.await(30, TimeUnit.SECONDS) ? "told while busy" : "not told");
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				events.add("cancelled: " + (call.isCancelled() && context.isCancelled()));
			}

		};
		try (TestServer server = TestServer.start(Mode.OFF_THE_LOOP::apply, (builder) -> builder.addService(service))) {
			ClientCall<BytesValue, BytesValue> call = server.channel()
				.newCall(EchoGrpc.getUnaryMethod(), CallOptions.DEFAULT);
			call.start(new ClientCall.Listener<>() {
			}, new Metadata());
			call.sendMessage(Messages.text("a"));
			call.halfClose();
			assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
			call.cancel("enough", null);
			assertThat(onCancel.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(events).containsExactly("told while busy", "cancelled: true", "onCancel");
		}
	}

	@BothModes
	void whatTheServiceSendsAfterwardsIsDropped(Mode mode) throws Exception {
		Watched service = new Watched();
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			ClientCall<BytesValue, BytesValue> call = bidi(server.channel());
			service.await("start");
			call.cancel("enough", null);
			service.await("cancel");
			service.call.sendHeaders(new Metadata());
			for (int i = 0; i < 10; i++) {
				service.call.sendMessage(Messages.number(i));
			}
			service.call.request(5);
			service.call.close(Status.OK, new Metadata());
			pass(server);
			assertThat(service.events).containsOnlyOnce("cancel").doesNotContain("complete");
		}
	}

	@BothModes
	void aResponseThatWaitsForTheClientToReadIsThrownAway(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(65535));
			List<ClientCall<BytesValue, BytesValue>> calls = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				ClientCall<BytesValue, BytesValue> call = narrow.newCall(EchoGrpc.getUnaryMethod(),
						CallOptions.DEFAULT);
				// it asks for no response
				call.start(new ClientCall.Listener<>() {
				}, new Metadata());
				call.sendMessage(Messages.ofSize(200_000, i));
				call.halfClose();
				calls.add(call);
			}
			Eventually.until("all is sent", () -> telemetry.method("t.Echo/Unary").messagesSent.get() == 20);
			calls.forEach((call) -> call.cancel("enough", null));
			Eventually.until("all calls have ended", () -> telemetry.running.get() == 0);
			assertThat(telemetry.method("t.Echo/Unary").codes()).hasSize(20).containsOnly(Status.Code.CANCELLED);
			BytesValue big = Messages.ofSize(TestServer.MIB, 99);
			assertThat(EchoGrpc.newBlockingStub(narrow).unary(big)).as("the connection's credit is back")
				.isEqualTo(big);
		}
	}

	@EveryVariant
	void everyCallEndsOnceWhereverItIsCancelled(Variant variant) throws Exception {
		Random random = new Random(7);
		EndCounter counting = new EndCounter();
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.intercept(counting).telemetry(telemetry).flowControlWindow(65535);
		})) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(65535));
			for (int i = 0; i < 200; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				Context.CancellableContext context = Context.current().withCancellation();
				StreamObserver<BytesValue> requests = context.call(() -> EchoGrpc.newStub(narrow).bidi(responses));
				int messages = random.nextInt(4);
				for (int k = 0; k < messages; k++) {
					requests.onNext(Messages.ofSize(3 + random.nextInt(100_000), i));
				}
				switch (random.nextInt(3)) {
					case 0 -> requests.onCompleted();
					case 1 -> requests.onError(Status.CANCELLED.asRuntimeException());
					default -> {
						if (messages > 0) {
							responses.next();
						}
					}
				}
				context.cancel(null);
				responses.end();
			}
			pass(server);
			Eventually.until("all calls have ended", () -> telemetry.running.get() == 0);
			Eventually.until("all listeners were told", () -> counting.ended.get() == counting.started.get());
			assertThat(counting.endedTwice).hasValue(0);
			assertThat(telemetry.faults).isEmpty();
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	private static ClientCall<BytesValue, BytesValue> bidi(ManagedChannel channel) {
		ClientCall<BytesValue, BytesValue> call = channel.newCall(EchoGrpc.getBidiMethod(), CallOptions.DEFAULT);
		call.start(new ClientCall.Listener<>() {
		}, new Metadata());
		call.request(Integer.MAX_VALUE);
		return call;
	}

	private static void pass(TestServer server) {
		assertThat(server.blocking().unary(Messages.text("pass"))).isEqualTo(Messages.text("pass"));
	}

	/**
	 * Its bidirectional method writes down what happens to a call, and does nothing.
	 */
	private static final class Watched implements BindableService {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private volatile ServerCall<BytesValue, BytesValue> call;

		private volatile Context context;

		@Override
		public ServerServiceDefinition bindService() {
			ServerServiceDefinition echo = new EchoService().bindService();
			return ServerServiceDefinition.builder("t.Echo")
				.addMethod(EchoGrpc.getBidiMethod(), this::start)
				.addMethod(echo.getMethod("t.Echo/Unary"))
				.build();
		}

		void await(String event) {
			Eventually.until(event, () -> this.events.contains(event));
		}

		private ServerCall.Listener<BytesValue> start(ServerCall<BytesValue, BytesValue> call, Metadata headers) {
			this.call = call;
			this.context = Context.current();
			this.context.addListener((cancelled) -> this.events.add("context"), Runnable::run);
			this.events.add("start");
			call.request(Integer.MAX_VALUE);
			return new ServerCall.Listener<>() {

				@Override
				public void onMessage(BytesValue message) {
					Watched.this.events.add("message");
				}

				@Override
				public void onHalfClose() {
					Watched.this.events.add("half-close");
				}

				@Override
				public void onCancel() {
					Watched.this.events.add("cancel");
				}

				@Override
				public void onComplete() {
					Watched.this.events.add("complete");
				}

			};
		}

	}

	/**
	 * Counts the ends of calls.
	 */
	private static final class EndCounter implements ServerInterceptor {

		private final AtomicInteger started = new AtomicInteger();

		private final AtomicInteger ended = new AtomicInteger();

		private final AtomicInteger endedTwice = new AtomicInteger();

		private final Set<ServerCall<?, ?>> open = ConcurrentHashMap.newKeySet();

		@Override
		public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
				ServerCallHandler<Q, R> next) {
			this.started.incrementAndGet();
			this.open.add(call);
			return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

				@Override
				public void onComplete() {
					end(call);
					super.onComplete();
				}

				@Override
				public void onCancel() {
					end(call);
					super.onCancel();
				}

			};
		}

		private void end(ServerCall<?, ?> call) {
			if (!this.open.remove(call)) {
				this.endedTwice.incrementAndGet();
			}
			this.ended.incrementAndGet();
		}

	}

}
