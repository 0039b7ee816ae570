package dev.grpcloop.engine;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls begun and reset as fast as a socket takes them (case B34).
 */
@Timeout(60)
class RapidResetOverSocketsTests {

	private static final int CONCURRENT = 20;

	private static final byte GOAWAY = 7;

	private static final int ENHANCE_YOUR_CALM = 11;

	private final CountDownLatch released = new CountDownLatch(1);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger mostRunning = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	static Stream<ExecutorService> executors() {
		return Stream.of(Executors.newFixedThreadPool(100), Executors.newCachedThreadPool(),
				Executors.newFixedThreadPool(2));
	}

	/**
	 * Case B34 c: handlers that ignore their cancellation, on a pool and on a thread for
	 * each call.
	 */
	@ParameterizedTest
	@MethodSource("executors")
	void noMoreHandlersRunThanCallsAreAllowedAndTheConnectionEnds(ExecutorService executor) throws Exception {
		try (TestServer server = TestServer.start((builder) -> builder.addService(new StubbornService())
			.executor(executor)
			.maxConcurrentCallsPerConnection(CONCURRENT))) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
				socket.getOutputStream().write(attack(2000));
				assertThat(goAwayCode(socket)).isEqualTo(ENHANCE_YOUR_CALM);
				assertThat(this.mostRunning.get()).isLessThanOrEqualTo(CONCURRENT);
			}
			this.released.countDown();
			Eventually.until("no handler runs", () -> this.running.get() == 0);
			assertThat(this.started.get()).isLessThanOrEqualTo(CONCURRENT);
			assertThat(server.blocking().unary(BytesValue.getDefaultInstance()))
				.isEqualTo(BytesValue.getDefaultInstance());
		}
		finally {
			this.released.countDown();
			executor.shutdown();
			assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	/**
	 * Case B34 a.
	 */
	@BothModes
	void callsThatAreResetAtOnceEndTheConnection(Mode mode) throws Exception {
		this.released.countDown();
		try (TestServer server = TestServer.start((builder) -> mode.apply(builder.addService(new StubbornService())))) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
				socket.getOutputStream().write(attack(2000));
				assertThat(goAwayCode(socket)).isEqualTo(ENHANCE_YOUR_CALM);
			}
			assertThat(server.blocking().unary(BytesValue.getDefaultInstance()))
				.isEqualTo(BytesValue.getDefaultInstance());
		}
	}

	private static byte[] attack(int calls) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		out.writeBytes(new byte[] { 0, 0, 0, 4, 0, 0, 0, 0, 0 });
		// SETTINGS acknowledged
		out.writeBytes(new byte[] { 0, 0, 0, 4, 1, 0, 0, 0, 0 });
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		// :method POST and :scheme http of the static table
		block.writeBytes(new byte[] { (byte) 0x83, (byte) 0x86 });
		field(block, ":path", "/" + EchoGrpc.getUnaryMethod().getFullMethodName());
		field(block, "te", "trailers");
		field(block, "content-type", "application/grpc");
		for (int i = 0; i < calls; i++) {
			frame(out, 1, 4, 1 + 2 * i, block.toByteArray());
			frame(out, 0, 1, 1 + 2 * i, new byte[5]);
			frame(out, 3, 0, 1 + 2 * i, new byte[] { 0, 0, 0, 8 });
		}
		return out.toByteArray();
	}

	private static void field(ByteArrayOutputStream block, String name, String value) {
		block.write(0);
		for (String text : new String[] { name, value }) {
			block.write(text.length());
			block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
		}
	}

	private static void frame(ByteArrayOutputStream out, int type, int flags, int streamId, byte[] payload) {
		out.writeBytes(ByteBuffer.allocate(9)
			.put((byte) 0)
			.putShort((short) payload.length)
			.put((byte) type)
			.put((byte) flags)
			.putInt(streamId)
			.array());
		out.writeBytes(payload);
	}

	/**
	 * Reads until GOAWAY.
	 */
	private static int goAwayCode(Socket socket) throws IOException {
		DataInputStream in = new DataInputStream(socket.getInputStream());
		while (true) {
			int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
			byte type = in.readByte();
			in.readByte();
			in.readInt();
			byte[] payload = in.readNBytes(length);
			if (type == GOAWAY) {
				return ByteBuffer.wrap(payload).getInt(4);
			}
		}
	}

	private final class StubbornService extends EchoGrpc.EchoImplBase {

		@Override
		public void unary(BytesValue request, StreamObserver<BytesValue> responses) {
			RapidResetOverSocketsTests.this.started.incrementAndGet();
			int now = RapidResetOverSocketsTests.this.running.incrementAndGet();
			RapidResetOverSocketsTests.this.mostRunning.accumulateAndGet(now, Math::max);
			try {
				RapidResetOverSocketsTests.this.released.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			RapidResetOverSocketsTests.this.running.decrementAndGet();
			responses.onNext(request);
			responses.onCompleted();
		}

	}

}
