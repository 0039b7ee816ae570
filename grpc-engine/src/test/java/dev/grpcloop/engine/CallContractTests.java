package dev.grpcloop.engine;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InternalServer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What {@link ServerCall} and its listener promise to services (case B24).
 */
class CallContractTests {

	private static final int MANY = 1000;

	private final ExecutorService foreign = Executors.newFixedThreadPool(4);

	@AfterEach
	void endThreads() {
		this.foreign.shutdownNow();
	}

	@BothModes
	void theCallTellsWhereItComesFromAndWhatItIs(Mode mode) throws Exception {
		AtomicReference<ServerCall<?, ?>> seen = new AtomicReference<>();
		AtomicReference<Server> serverOfContext = new AtomicReference<>();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary((call, headers) -> {
					seen.set(call);
					serverOfContext.set(InternalServer.SERVER_CONTEXT_KEY.get());
					return answer(call);
				})))) {
			server.newChannel((builder) -> builder.overrideAuthority("example.org:443"));
			server.blocking().unary(Messages.text("a"));
			ServerCall<?, ?> call = seen.get();
			assertThat(call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR))
				.isEqualTo(server.server().getListenSockets().get(0));
			assertThat(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
				.isInstanceOfSatisfying(InetSocketAddress.class, (remote) -> {
					assertThat(remote.getAddress().isLoopbackAddress()).isTrue();
					assertThat(remote.getPort()).isPositive().isNotEqualTo(server.server().getPort());
				});
			assertThat(call.getAuthority()).isEqualTo("example.org:443");
			assertThat(call.getSecurityLevel()).isEqualTo(SecurityLevel.NONE);
			assertThat(call.getMethodDescriptor()).isSameAs(EchoGrpc.getUnaryMethod());
			assertThat(serverOfContext.get()).isSameAs(server.server());
		}
	}

	@BothModes
	void callsOfOneConnectionHaveTheSameAttributes(Mode mode) throws Exception {
		List<ServerCall<?, ?>> calls = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary((call, headers) -> {
					calls.add(call);
					return answer(call);
				})))) {
			server.blocking().unary(Messages.text("a"));
			server.blocking().unary(Messages.text("b"));
			assertThat(calls).hasSize(2);
			assertThat(calls.get(0).getAttributes()).isEqualTo(calls.get(1).getAttributes());
		}
	}

	@BothModes
	void whatIsOutOfOrderIsTheCallersFault(Mode mode) throws Exception {
		List<Throwable> unexpected = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(unary((call, headers) -> {
					try {
						BytesValue message = Messages.text("a");
						assertThatIllegalArgumentException().isThrownBy(() -> call.request(-1));
						assertThatIllegalStateException().isThrownBy(() -> call.sendMessage(message));
						call.sendHeaders(new Metadata());
						assertThatIllegalStateException().isThrownBy(() -> call.sendHeaders(new Metadata()));
						assertThatIllegalStateException().isThrownBy(() -> call.setCompression("gzip"));
						call.sendMessage(message);
						call.close(Status.OK, new Metadata());
						assertThatIllegalStateException().isThrownBy(() -> call.sendMessage(message));
						assertThatIllegalStateException().isThrownBy(() -> call.sendHeaders(new Metadata()));
						assertThatIllegalStateException().isThrownBy(() -> call.close(Status.OK, new Metadata()));
						assertThat(call.isReady()).isFalse();
					}
					catch (Throwable ex) {
						unexpected.add(ex);
					}
					return new ServerCall.Listener<>() {
					};
				})))) {
			assertThat(server.blocking().unary(Messages.text("b"))).isEqualTo(Messages.text("a"));
			assertThat(unexpected).isEmpty();
		}
	}

	@EveryVariant
	void callbacksComeOneAtATimeAndInOrder(Variant variant) throws Exception {
		List<SerialCheck> checks = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.workers(2)
			.addService(ServerServiceDefinition.builder("t.Echo")
				.addMethod(EchoGrpc.getBidiMethod(), (ServerCallHandler<BytesValue, BytesValue>) (call, headers) -> {
					SerialCheck check = new SerialCheck(call);
					checks.add(check);
					return check;
				})
				.build()))) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				this.foreign.execute(() -> {
					StreamObserver<BytesValue> requests = server.async().bidi(responses);
					for (int k = 0; k < MANY; k++) {
						requests.onNext(Messages.number(k));
					}
					requests.onCompleted();
				});
			}
			for (RecordingObserver<BytesValue> responses : all) {
				assertThat(responses.all()).hasSize(MANY).last().isEqualTo(Messages.number(MANY - 1));
			}
			assertThat(checks).hasSize(4).allSatisfy((check) -> {
				Eventually.asserted(() -> assertThat(check.events).endsWith("complete"));
				assertThat(check.events).containsExactly("ready", "half-close", "complete");
				assertThat(check.faults).isEmpty();
			});
		}
	}

	@BothModes
	void aCallMayBeAnsweredFromAnotherThreadLater(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
				CallContractTests.this.foreign.execute(() -> super.unary(request, responses));
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			List<RecordingObserver<BytesValue>> all = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				RecordingObserver<BytesValue> responses = new RecordingObserver<>();
				all.add(responses);
				server.async().unary(Messages.number(i), responses);
			}
			for (int i = 0; i < 200; i++) {
				assertThat(all.get(i).all()).containsExactly(Messages.number(i));
			}
		}
	}

	@EveryVariant
	void messagesOfManyThreadsGoOutInTheOrderTheyWereSent(Variant variant) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public void serverStream(BytesValue request, StreamObserver<BytesValue> responses) {
				AtomicInteger sent = new AtomicInteger();
				for (int thread = 0; thread < 4; thread++) {
					CallContractTests.this.foreign.execute(() -> {
						boolean more = true;
						while (more) {
							synchronized (sent) {
								int number = sent.getAndIncrement();
								if (number < MANY) {
									responses.onNext(Messages.number(number));
								}
								else if (number == MANY) {
									responses.onCompleted();
								}
								more = number < MANY;
							}
						}
					});
				}
			}

		};
		try (TestServer server = TestServer.start(variant::apply, (builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().serverStream(Messages.text("go"), responses);
			assertThat(responses.all()).isEqualTo(IntStream.range(0, MANY).mapToObj(Messages::number).toList());
		}
	}

	@BothModes
	void messagesFromTheLoopAndFromOtherThreadsKeepTheirOrder(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
				return new StreamObserver<>() {

					@Override
					public void onNext(BytesValue request) {
						// the callback waits for the other thread, then sends itself
						await(() -> responses.onNext(Messages.text("other " + Messages.text(request))));
						responses.onNext(Messages.text("callback " + Messages.text(request)));
					}

					@Override
					public void onError(Throwable error) {
					}

					@Override
					public void onCompleted() {
						await(() -> responses.onNext(Messages.text("last")));
						responses.onCompleted();
					}

				};
			}

		};
		try (TestServer server = TestServer.start(mode::apply, (builder) -> builder.addService(service))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			List<BytesValue> expected = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				requests.onNext(Messages.number(i));
				expected.add(Messages.text("other " + i));
				expected.add(Messages.text("callback " + i));
			}
			requests.onCompleted();
			expected.add(Messages.text("last"));
			assertThat(responses.all()).isEqualTo(expected);
		}
	}

	@BothModes
	void otherThreadsMayAskForMessages(Mode mode) throws Exception {
		EchoService service = new EchoService() {

			@Override
			public StreamObserver<BytesValue> bidi(StreamObserver<BytesValue> responses) {
				ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) responses;
				call.disableAutoRequest();
				Runnable askForOne = () -> CallContractTests.this.foreign.execute(() -> call.request(1));
				askForOne.run();
				StreamObserver<BytesValue> echo = super.bidi(responses);
				return new StreamObserver<>() {

					@Override
					public void onNext(BytesValue value) {
						echo.onNext(value);
						askForOne.run();
					}

					@Override
					public void onError(Throwable error) {
					}

					@Override
					public void onCompleted() {
						echo.onCompleted();
					}

				};
			}

		};
		try (TestServer server = TestServer.start(mode::apply,
				(builder) -> builder.addService(service).flowControlWindow(65535))) {
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			StreamObserver<BytesValue> requests = server.async().bidi(responses);
			List<BytesValue> sent = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				sent.add((i % 50 == 49) ? Messages.ofSize(200_000, i) : Messages.number(i));
			}
			sent.forEach(requests::onNext);
			requests.onCompleted();
			assertThat(responses.all()).isEqualTo(sent);
		}
	}

	@Test
	void aMessageMayBeChangedAfterItWasSent() throws Exception {
		MethodDescriptor<byte[], byte[]> method = MethodDescriptor.<byte[], byte[]>newBuilder()
			.setType(MethodDescriptor.MethodType.SERVER_STREAMING)
			.setFullMethodName("t.Bytes/Stream")
			.setRequestMarshaller(new BytesMarshaller())
			.setResponseMarshaller(new BytesMarshaller())
			.build();
		ServerCallHandler<byte[], byte[]> handler = (call, headers) -> {
			call.sendHeaders(new Metadata());
			byte[] reused = new byte[20_000];
			for (int i = 0; i < 10; i++) {
				Arrays.fill(reused, (byte) i);
				call.sendMessage(reused);
			}
			Arrays.fill(reused, (byte) 99);
			call.close(Status.OK, new Metadata());
			return new ServerCall.Listener<>() {
			};
		};
		for (Mode mode : Mode.values()) {
			try (TestServer server = TestServer.start(mode::apply, (builder) -> builder
				.addService(ServerServiceDefinition.builder("t.Bytes").addMethod(method, handler).build()))) {
				List<byte[]> received = new ArrayList<>();
				ClientCalls.blockingServerStreamingCall(server.channel(), method, CallOptions.DEFAULT, new byte[0])
					.forEachRemaining(received::add);
				assertThat(received).hasSize(10);
				for (int i = 0; i < 10; i++) {
					assertThat(received.get(i)).hasSize(20_000).containsOnly(i);
				}
			}
		}
	}

	private void await(Runnable task) {
		try {
			this.foreign.submit(task).get();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ServerServiceDefinition unary(ServerCallHandler<BytesValue, BytesValue> handler) {
		return ServerServiceDefinition.builder("t.Echo").addMethod(EchoGrpc.getUnaryMethod(), handler).build();
	}

	private static ServerCall.Listener<BytesValue> answer(ServerCall<BytesValue, BytesValue> call) {
		call.request(1);
		return new ServerCall.Listener<>() {

			@Override
			public void onMessage(BytesValue message) {
				call.sendHeaders(new Metadata());
				call.sendMessage(message);
				call.close(Status.OK, new Metadata());
			}

		};
	}

	/**
	 * An echo that notes every callback that comes at the wrong time.
	 */
	private static final class SerialCheck extends ServerCall.Listener<BytesValue> {

		private final ServerCall<BytesValue, BytesValue> call;

		private final AtomicInteger running = new AtomicInteger();

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final List<String> faults = new CopyOnWriteArrayList<>();

		/** Not volatile: the delivery has to make it visible from thread to thread. */
		private int expected;

		SerialCheck(ServerCall<BytesValue, BytesValue> call) {
			this.call = call;
			callback("start", () -> {
				call.sendHeaders(new Metadata());
				call.request(3);
			});
		}

		private void callback(String name, Runnable task) {
			if (this.running.incrementAndGet() != 1) {
				this.faults.add(name + " beside another");
			}
			task.run();
			this.running.decrementAndGet();
		}

		@Override
		public void onReady() {
			callback("ready", () -> {
				if (!this.events.contains("ready")) {
					this.events.add("ready");
				}
			});
		}

		@Override
		public void onMessage(BytesValue message) {
			callback("message", () -> {
				if (!message.equals(Messages.number(this.expected++))) {
					this.faults.add("message " + Messages.text(message) + " at place " + this.expected);
				}
				if (!this.events.equals(List.of("ready"))) {
					this.faults.add("message after " + this.events);
				}
				this.call.sendMessage(message);
				this.call.request(1);
			});
		}

		@Override
		public void onHalfClose() {
			callback("half-close", () -> {
				this.events.add("half-close");
				this.call.close(Status.OK, new Metadata());
			});
		}

		@Override
		public void onComplete() {
			callback("complete", () -> this.events.add("complete"));
		}

		@Override
		public void onCancel() {
			callback("cancel", () -> this.events.add("cancel"));
		}

	}

	private static final class BytesMarshaller implements MethodDescriptor.Marshaller<byte[]> {

		@Override
		public InputStream stream(byte[] value) {
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			try {
				return stream.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
