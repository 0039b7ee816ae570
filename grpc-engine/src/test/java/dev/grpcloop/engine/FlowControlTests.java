package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Backpressure, both ways (cases B29 and B33).
 */
class FlowControlTests {

	private static final int MIB = TestServer.MIB;

	private static final int WINDOW = 65535;

	private static final int CONTENT_SIZE = 1024;

	/** With the field's tag and length, and the message's prefix. */
	private static final int MESSAGE_SIZE = CONTENT_SIZE + 3 + 5;

	private static final int MESSAGES = 2000;

	/** What either side holds for a call before it is no longer ready. */
	private static final int ON_READY_THRESHOLD = 32 * 1024;

	@EveryVariant
	void aSlowReaderMakesTheCallNotReadyAndLosesNothing(Variant variant) throws Exception {
		Flood flood = new Flood();
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(flood))) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(WINDOW));
			ManualClient client = new ManualClient(narrow, EchoGrpc.getServerStreamMethod());
			client.call.sendMessage(BytesValue.getDefaultInstance());
			client.call.halfClose();
			// the peer's window is used up, and the call holds as much as it may
			int most = WINDOW + ON_READY_THRESHOLD;
			Eventually.until("the call is no longer ready",
					() -> flood.sent.get() * MESSAGE_SIZE >= most && flood.stops.get() == flood.starts.get());
			assertThat(flood.sent.get() * MESSAGE_SIZE).isLessThan(most + MESSAGE_SIZE);
			pass(server);
			assertThat(flood.sent.get() * MESSAGE_SIZE).isLessThan(most + MESSAGE_SIZE);
			client.call.request(MESSAGES);
			assertThat(client.end()).isEqualTo(Status.Code.OK);
			assertThat(client.messages).extracting(FlowControlTests::numberOf)
				.containsExactlyElementsOf(numbers(MESSAGES));
			// ready once at the start, and each time it was not ready before
			assertThat(flood.starts.get()).isEqualTo(flood.stops.get() + 1);
			assertThat(flood.spurious).hasValue(0);
		}
	}

	@BothModes
	void theThresholdOfReadinessCanBeSet(Mode mode) throws Exception {
		Flood flood = new Flood();
		flood.threshold = 4 * MESSAGE_SIZE;
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(flood))) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(WINDOW));
			ManualClient client = new ManualClient(narrow, EchoGrpc.getServerStreamMethod());
			client.call.sendMessage(BytesValue.getDefaultInstance());
			client.call.halfClose();
			int most = WINDOW + flood.threshold;
			Eventually.until("the call is no longer ready",
					() -> flood.sent.get() * MESSAGE_SIZE >= most && flood.stops.get() == flood.starts.get());
			assertThat(flood.sent.get() * MESSAGE_SIZE).isLessThan(most + MESSAGE_SIZE);
			client.call.cancel("enough", null);
			assertThat(client.end()).isEqualTo(Status.Code.CANCELLED);
		}
	}

	@BothModes
	void aServiceThatHeedsNothingIsStoppedAtTheLimit(Mode mode) throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		AtomicInteger heedless = new AtomicInteger();
		EchoService service = new EchoService() {

			@Override
			public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
				ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
				call.setOnCancelHandler(() -> {
				});
				for (int i = 0; i < 5000; i++) {
					responses.onNext(numbered(i));
					heedless.incrementAndGet();
				}
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(service).telemetry(telemetry).maxBufferedPerCall(MIB))) {
			ManagedChannel narrow = server.newChannel((builder) -> builder.flowControlWindow(WINDOW));
			ManualClient client = new ManualClient(narrow, EchoGrpc.getServerStreamMethod());
			client.call.sendMessage(BytesValue.getDefaultInstance());
			client.call.halfClose();
			Eventually.until("the call has ended", () -> telemetry.method("t.Echo/ServerStream").closed.size() == 1);
			assertThat(telemetry.method("t.Echo/ServerStream").codes()).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(telemetry.method("t.Echo/ServerStream").bytesSent.get()).isLessThan(2 * MIB);
			Eventually.until("the service has finished", () -> heedless.get() == 5000);
			client.call.request(MESSAGES);
			assertThat(client.end()).isNotEqualTo(Status.Code.OK);
			pass(server);
		}
	}

	@BothModes
	void onReadyComesThoughTheHandlerIsSetAfterTheHalfClose(Mode mode) throws Exception {
		try (TestServer server = TestServer.echo(mode::apply)) {
			// the echo service sets its handler when the request is complete
			assertThat(server.blocking().serverStream(Messages.text("abc"))).toIterable().hasSize(3);
		}
	}

	@BothModes
	void messagesAreDeliveredOnlyAsTheServiceAsks(Mode mode) throws Exception {
		Reluctant reluctant = new Reluctant();
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(reluctant))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			for (int i = 0; i < 10; i++) {
				requests.onNext(Messages.number(i));
			}
			requests.onCompleted();
			ServerCallStreamObserver<BytesValue> call = reluctant.started();
			pass(server);
			assertThat(reluctant.received).isEmpty();
			for (int i = 0; i < 9; i++) {
				call.request(1);
				assertThat(reluctant.received.poll(10, TimeUnit.SECONDS)).isEqualTo(Messages.number(i));
				pass(server);
				assertThat(reluctant.received).isEmpty();
			}
			assertThat(reluctant.halfClosed.getCount()).as("one message is left").isOne();
			call.request(5);
			assertThat(reluctant.received.poll(10, TimeUnit.SECONDS)).isEqualTo(Messages.number(9));
			assertThat(reluctant.halfClosed.await(10, TimeUnit.SECONDS)).isTrue();
			call.onCompleted();
			assertThat(responses.all()).isEmpty();
		}
	}

	@BothModes
	void aStreamThatIsNotReadBlocksItselfAndNoOther(Mode mode) throws Exception {
		Reluctant reluctant = new Reluctant();
		try (TestServer server = TestServer.start(mode::apply, (builder) -> {
			builder.addService(reluctant);
			builder.flowControlWindow(WINDOW);
		})) {
			CountingClient client = new CountingClient(server.channel());
			client.sendWhileReady();
			ServerCallStreamObserver<BytesValue> call = reluctant.started();
			Eventually.until("the client is no longer ready", () -> {
				int before = client.sent.get();
				pass(server);
				return before == client.sent.get() && before > 0 && !client.call.isReady();
			});
			int blockedAt = client.sent.get();
			assertThat(blockedAt * MESSAGE_SIZE).isBetween(WINDOW, WINDOW + ON_READY_THRESHOLD + MESSAGE_SIZE);
			BytesValue big = Messages.ofSize(TestServer.MIB, 1);
			for (int i = 0; i < 5; i++) {
				assertThat(server.blocking().unary(big)).isEqualTo(big);
			}
			assertThat(client.sent).hasValue(blockedAt);
			assertThat(reluctant.received).isEmpty();
			// the service reads: the rest comes
			call.request(Integer.MAX_VALUE);
			Eventually.until("all is sent", () -> client.sent.get() == MESSAGES);
			client.call.halfClose();
			assertThat(reluctant.halfClosed.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(reluctant.received).extracting(FlowControlTests::numberOf)
				.containsExactlyElementsOf(numbers(MESSAGES));
			call.onCompleted();
			assertThat(client.ended.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	/**
	 * A call there and back: what was sent before it has been dealt with.
	 */
	private static void pass(TestServer server) {
		assertThat(server.blocking().unary(Messages.text("pass"))).isEqualTo(Messages.text("pass"));
	}

	private static int numberOf(BytesValue message) {
		return message.getValue().asReadOnlyByteBuffer().getInt();
	}

	private static List<Integer> numbers(int count) {
		List<Integer> numbers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			numbers.add(i);
		}
		return numbers;
	}

	private static BytesValue numbered(int number) {
		byte[] content = new byte[CONTENT_SIZE];
		content[0] = (byte) (number >>> 24);
		content[1] = (byte) (number >>> 16);
		content[2] = (byte) (number >>> 8);
		content[3] = (byte) number;
		return BytesValue.of(ByteString.copyFrom(content));
	}

	/**
	 * Sends whenever it may.
	 */
	private static final class Flood extends EchoService {

		private final AtomicInteger sent = new AtomicInteger();

		private final AtomicInteger starts = new AtomicInteger();

		private final AtomicInteger stops = new AtomicInteger();

		private final AtomicInteger spurious = new AtomicInteger();

		private int threshold;

		@Override
		public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
			ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
			if (this.threshold > 0) {
				call.setOnReadyThreshold(this.threshold);
			}
			call.setOnReadyHandler(() -> {
				if (this.sent.get() == MESSAGES) {
					return;
				}
				this.starts.incrementAndGet();
				if (!call.isReady()) {
					this.spurious.incrementAndGet();
				}
				while (call.isReady()) {
					call.onNext(numbered(this.sent.get()));
					if (this.sent.incrementAndGet() == MESSAGES) {
						call.onCompleted();
						return;
					}
				}
				this.stops.incrementAndGet();
			});
		}

	}

	/**
	 * Takes messages only when it is told to.
	 */
	private static final class Reluctant extends EchoService {

		private final BlockingQueue<BytesValue> received = new LinkedBlockingQueue<>();

		private final BlockingQueue<ServerCallStreamObserver<BytesValue>> calls = new LinkedBlockingQueue<>();

		private final CountDownLatch halfClosed = new CountDownLatch(1);

		ServerCallStreamObserver<BytesValue> started() throws InterruptedException {
			ServerCallStreamObserver<BytesValue> call = this.calls.poll(10, TimeUnit.SECONDS);
			assertThat(call).as("the call has started").isNotNull();
			return call;
		}

		@Override
		public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
			ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
			call.disableAutoRequest();
			this.calls.add(call);
			return new StreamObserver<>() {

				@Override
				public void onNext(BytesValue request) {
					Reluctant.this.received.add(request);
				}

				@Override
				public void onError(Throwable error) {
				}

				@Override
				public void onCompleted() {
					Reluctant.this.halfClosed.countDown();
				}

			};
		}

	}

	/**
	 * A client that reads only when the test says so.
	 */
	private static final class ManualClient extends ClientCall.Listener<BytesValue> {

		private final ClientCall<BytesValue, BytesValue> call;

		private final List<BytesValue> messages = new ArrayList<>();

		private final BlockingQueue<Status> end = new LinkedBlockingQueue<>();

		ManualClient(ManagedChannel channel, MethodDescriptor<BytesValue, BytesValue> method) {
			this.call = channel.newCall(method, CallOptions.DEFAULT);
			this.call.start(this, new Metadata());
		}

		Status.Code end() throws InterruptedException {
			Status status = this.end.poll(30, TimeUnit.SECONDS);
			assertThat(status).as("the call has ended").isNotNull();
			return status.getCode();
		}

		@Override
		public void onMessage(BytesValue message) {
			this.messages.add(message);
		}

		@Override
		public void onClose(Status status, Metadata trailers) {
			this.end.add(status);
		}

	}

	/**
	 * A client that sends as long as it may.
	 */
	private static final class CountingClient extends ClientCall.Listener<BytesValue> {

		private final ClientCall<BytesValue, BytesValue> call;

		private final AtomicInteger sent = new AtomicInteger();

		private final CountDownLatch ended = new CountDownLatch(1);

		CountingClient(ManagedChannel channel) {
			this.call = channel.newCall(EchoGrpc.getBidiMethod(), CallOptions.DEFAULT);
			this.call.start(this, new Metadata());
			this.call.request(1);
		}

		synchronized void sendWhileReady() {
			while (this.call.isReady() && this.sent.get() < MESSAGES) {
				this.call.sendMessage(numbered(this.sent.get()));
				this.sent.incrementAndGet();
			}
		}

		@Override
		public void onReady() {
			sendWhileReady();
		}

		@Override
		public void onClose(Status status, Metadata trailers) {
			this.ended.countDown();
		}

	}

}
