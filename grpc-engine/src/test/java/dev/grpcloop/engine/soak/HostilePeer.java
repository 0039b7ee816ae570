package dev.grpcloop.engine.soak;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * A peer that means harm, or speaks something else. It is over when it has said what it
 * had to say, however the server takes it.
 */
final class HostilePeer implements Runnable {

	private static final int DATA = 0;

	private static final int HEADERS = 1;

	private static final int PRIORITY = 2;

	private static final int RST_STREAM = 3;

	private static final int SETTINGS = 4;

	private static final int PING = 6;

	private static final int WINDOW_UPDATE = 8;

	private static final int CONTINUATION = 9;

	private static final int ACKNOWLEDGES_OR_ENDS = 1;

	private static final int END_HEADERS = 4;

	private final int port;

	private final SplittableRandom random;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	HostilePeer(int port, long seed) {
		this.port = port;
		this.random = new SplittableRandom(seed);
	}

	@Override
	public void run() {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(1_000);
			script();
			byte[] bytes = this.out.toByteArray();
			// the end may be missing
			int length = this.random.nextBoolean() ? bytes.length : this.random.nextInt(bytes.length + 1);
			socket.getOutputStream().write(bytes, 0, length);
			switch (this.random.nextInt(3)) {
				case 0 -> socket.setSoLinger(true, 0);
				case 1 -> socket.getInputStream().read(new byte[1000]);
				default -> {
					socket.shutdownOutput();
					socket.getInputStream().readAllBytes();
				}
			}
		}
		catch (IOException ex) {
			// the server had enough of it
		}
	}

	private void script() {
		if (this.random.nextInt(8) == 0) {
			raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			return;
		}
		raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		frame(SETTINGS, 0, 0);
		int count = 1 << this.random.nextInt(12);
		switch (this.random.nextInt(10)) {
			case 0 -> times(count, (i) -> frame(PING, 0, 0, new byte[8]));
			case 1 -> times(count, (i) -> frame(SETTINGS, 0, 0, new byte[] { 0, 4, 0, 0, (byte) i, 0 }));
			case 2 -> times(count, (i) -> {
				headers(1 + 2 * i, END_HEADERS);
				frame(RST_STREAM, 0, 1 + 2 * i, new byte[] { 0, 0, 0, 8 });
			});
			case 3 -> times(count, (i) -> headers(1 + 2 * i, END_HEADERS | ACKNOWLEDGES_OR_ENDS));
			case 4 -> {
				headers(1, END_HEADERS);
				times(count, (i) -> frame(DATA, 0, 1));
			}
			case 5 -> {
				headers(1, 0);
				times(count, (i) -> frame(CONTINUATION, 0, 1));
			}
			case 6 -> times(count, (i) -> frame(PRIORITY, 0, 1 + 2 * i, new byte[5]));
			case 7 -> {
				headers(1, END_HEADERS);
				times(count, (i) -> frame(WINDOW_UPDATE, 0, i % 2, new byte[] { 0, 0, 0, 1 }));
			}
			case 8 -> {
				headers(1, END_HEADERS);
				frame(DATA, 0, 1, new byte[] { 0, 0, 16, 0, 0 });
				times(count, (i) -> frame(DATA, 0, 1, new byte[1 + i % 100]));
			}
			default -> {
				byte[] noise = new byte[count];
				times(count, (i) -> noise[i] = (byte) this.random.nextInt());
				raw(noise);
			}
		}
	}

	private static void times(int count, IntConsumer action) {
		for (int i = 0; i < count; i++) {
			action.accept(i);
		}
	}

	private void headers(int streamId, int flags) {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		String[] fields = { ":method", "POST", ":scheme", "http", ":path", "/t.Echo/Bidi", ":authority", "localhost",
				"te", "trailers", "content-type", "application/grpc" };
		for (int i = 0; i < fields.length; i += 2) {
			// a literal that is not indexed (RFC 7541 section 6.2.2)
			block.write(0);
			string(block, fields[i]);
			string(block, fields[i + 1]);
		}
		frame(HEADERS, flags, streamId, block.toByteArray());
	}

	private static void string(ByteArrayOutputStream block, String value) {
		block.write(value.length());
		block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
	}

	private void frame(int type, int flags, int streamId, byte... payload) {
		ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
		frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(streamId);
		raw(frame.put(payload).array());
	}

	private void raw(byte[] bytes) {
		this.out.writeBytes(bytes);
	}

}
