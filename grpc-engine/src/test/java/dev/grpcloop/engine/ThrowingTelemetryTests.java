package dev.grpcloop.engine;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Recorders are code of the application, and what they throw is no affair of the calls,
 * the connections and the loops.
 */
class ThrowingTelemetryTests {

	private static final String EVERY_HOOK = "*";

	private static final byte RST_STREAM = 3;

	private static final BytesValue BLOCKS = Messages.text("blocks");

	/** A client's preface, its SETTINGS, and a request without a path. */
	private static final byte[] MALFORMED_REQUEST = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
			+ "\0\0\0\4\0\0\0\0\0\0\0\0\4\1\0\0\0\0" + "\0\0\2\1\5\0\0\0\1\u0083\u0086")
		.getBytes(StandardCharsets.ISO_8859_1);

	private final ExecutorService pool = Executors.newCachedThreadPool();

	/** The hook that throws. */
	private volatile String faulty = "";

	private final AtomicInteger thrown = new AtomicInteger();

	private volatile boolean executorIsFull;

	@AfterEach
	void stop() {
		this.pool.shutdown();
	}

	@BothModes
	void aHookThatThrowsHarmsNothing(Mode mode) throws Exception {
		Consumer<EventLoopServerBuilder> where = (mode == Mode.ON_THE_LOOP) ? EventLoopServerBuilder::directExecutor
				: (builder) -> builder.executor(this::execute);
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer.start(where,
						(builder) -> builder.addService(new BlockingEcho())
							.blockedThreshold(Duration.ofMillis(5))
							.telemetry(throwing(EngineTelemetry.class)))) {
			server.blocking().unary(Messages.text("a"));
			List<?> connections = server.server().getClientAddresses();
			for (String hook : hooks(mode).toList()) {
				this.faulty = hook;
				this.thrown.set(0);
				everythingWorks(server, mode);
				assertThat(this.thrown).as(hook + " was called").hasPositiveValue();
				Eventually.until("after " + hook + " the connection of before is there, and no other",
						() -> server.server().getClientAddresses().equals(connections));
				assertThat(log.messages()).as("is logged once")
					.filteredOn((message) -> message.contains(hook + ","))
					.hasSize(1);
			}
			this.faulty = EVERY_HOOK;
			everythingWorks(server, mode);
			assertThat(log.messages()).as("nothing else is logged")
				.allMatch((message) -> message.contains("is not recorded")
						|| message.contains("has held its event loop"));
		}
	}

	private static Stream<String> hooks(Mode mode) {
		return Stream.of(EngineTelemetry.class, LoopTelemetry.class, MethodTelemetry.class, ExecutorTelemetry.class)
			.filter((type) -> mode == Mode.OFF_THE_LOOP || type != ExecutorTelemetry.class)
			.filter((type) -> mode == Mode.ON_THE_LOOP || type != EngineTelemetry.class)
			.flatMap((type) -> Stream.of(type.getMethods()))
			.filter((method) -> method.getReturnType() == void.class)
			.map(Method::getName)
			.sorted();
	}

	private <T> T throwing(Class<T> type) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, hook, args) -> {
			if (hook.getReturnType().isInterface()) {
				return throwing(hook.getReturnType());
			}
			String faulty = this.faulty;
			if (hook.getName().equals(faulty) || faulty.equals(EVERY_HOOK)) {
				this.thrown.incrementAndGet();
				throw new IllegalStateException("a fault of the recorder");
			}
			return null;
		}));
	}

	/**
	 * Lets the engine have something to say by each of its hooks.
	 */
	private void everythingWorks(TestServer server, Mode mode) throws Exception {
		assertThat(server.blocking().unary(Messages.text("a"))).isEqualTo(Messages.text("a"));
		assertThat(server.blocking().unary(BLOCKS)).isEqualTo(BLOCKS);
		assertThat(server.blocking().serverStream(Messages.text("abc"))).toIterable().hasSize(3);
		cancel(server);
		ManagedChannel another = server.newChannel((builder) -> builder.flowControlWindow(65535));
		BytesValue large = Messages.ofSize(200_000, 1);
		assertThat(EchoGrpc.newBlockingStub(another).withDeadlineAfter(60, TimeUnit.SECONDS).unary(large))
			.isEqualTo(large);
		another.shutdownNow();
		if (mode == Mode.OFF_THE_LOOP) {
			this.executorIsFull = true;
			RecordingObserver<BytesValue> responses = new RecordingObserver<>();
			server.async().unary(Messages.text("a"), responses);
			assertThat(responses.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			this.executorIsFull = false;
		}
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
			socket.getOutputStream().write(MALFORMED_REQUEST);
			readReset(new DataInputStream(socket.getInputStream()));
		}
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
			socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.startsWith("HTTP/1.1 400");
		}
	}

	private static void cancel(TestServer server) throws InterruptedException {
		RecordingObserver<BytesValue> responses = new RecordingObserver<>();
		StreamObserver<BytesValue> requests = server.async().bidi(responses);
		requests.onNext(Messages.text("a"));
		responses.next();
		requests.onError(Status.CANCELLED.asException());
		// what comes after it shows that the reset was read
		server.blocking().unary(Messages.text("a"));
	}

	private static void readReset(DataInputStream in) throws IOException {
		byte type;
		do {
			int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
			type = in.readByte();
			in.readNBytes(5 + length);
		}
		while (type != RST_STREAM);
	}

	private void execute(Runnable task) {
		if (this.executorIsFull) {
			throw new RejectedExecutionException("full");
		}
		this.pool.execute(task);
	}

	@ParameterizedTest
	@ValueSource(strings = { "loop", "executor", "method" })
	void aRecorderThatIsNotThereStopsTheStart(String question) throws Exception {
		EngineTelemetry none = unable(EngineTelemetry.class, question, null);
		assertStartFails(none, "returned null from " + question + "(");
		EngineTelemetry faulty = unable(EngineTelemetry.class, question, new IllegalStateException("a fault"));
		assertStartFails(faulty, "threw in " + question + "(", "a fault");
	}

	private static void assertStartFails(EngineTelemetry telemetry, String... texts) throws InterruptedException {
		EventLoopServer server = EventLoopServerBuilder.forPort(0)
			.addService(new EchoService())
			.telemetry(telemetry)
			.build();
		assertThatIllegalStateException().isThrownBy(server::start).withMessageContainingAll(texts);
		assertThat(server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS)).as("nothing is left").isTrue();
	}

	private static <T> T unable(Class<T> type, String question, @Nullable Throwable fault) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, hook, args) -> {
			if (!hook.getName().equals(question)) {
				return hook.getReturnType().isInterface() ? unable(hook.getReturnType(), question, fault) : null;
			}
			if (fault != null) {
				throw fault;
			}
			return null;
		}));
	}

	@Test
	void callsOfALateMethodWithoutARecorderAreRecordedWithTheUnknown() throws Exception {
		RecordingTelemetry telemetry = new RecordingTelemetry();
		telemetry.unableToRecord = EchoGrpc.getUnaryMethod().getFullMethodName();
		MutableHandlerRegistry registry = new MutableHandlerRegistry();
		registry.addService(new EchoService());
		try (EngineLog log = new EngineLog();
				TestServer server = TestServer
					.start((builder) -> builder.fallbackHandlerRegistry(registry).telemetry(telemetry))) {
			server.blocking().unary(Messages.text("a"));
			server.blocking().unary(Messages.text("b"));
			assertThat(telemetry.method(RecordingTelemetry.UNKNOWN).codes()).containsExactly(Status.Code.OK,
					Status.Code.OK);
			assertThat(log.messages()).singleElement().asString().contains("t.Echo/Unary");
		}
		assertThat(telemetry.isBalanced()).isTrue();
	}

	/**
	 * Holds its thread, if it is asked to, until somebody has noticed.
	 */
	private final class BlockingEcho extends EchoService {

		@Override
		public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
			if (request.equals(BLOCKS) && ThrowingTelemetryTests.this.faulty.equals("loopBlocked")) {
				Eventually.until("the watchdog has told of it", () -> ThrowingTelemetryTests.this.thrown.get() > 0);
			}
			super.unary(request, responses);
		}

	}

}
