package dev.grpcloop.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.logging.Level;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that send a good preface and then anything: whatever it was, the server ends or
 * keeps the connection, forgets it when it is gone, and serves others.
 */
class RandomBytesTests {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] EMPTY_SETTINGS = { 0, 0, 0, 4, 0, 0, 0, 0, 0 };

	private static final int CONNECTIONS = 200;

	private static final int HEADERS = 1;

	private static final int SETTINGS = 4;

	private static final int PING = 6;

	private static final int GOAWAY = 7;

	private static final int END_HEADERS = 4;

	/** The lengths of payloads by type, -1 for those that may have any. */
	private static final int[] LENGTHS = { -1, -1, 5, 4, 6, -1, 8, 8, 4, -1, -1, -1 };

	@EveryVariant
	void othersAreServed(Variant variant) throws Exception {
		Random random = new Random(1);
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (EngineLog log = new EngineLog(); TestServer server = TestServer.echo((builder) -> {
			variant.apply(builder);
			builder.telemetry(telemetry);
		})) {
			for (int i = 0; i < CONNECTIONS; i++) {
				try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
					send(socket.getOutputStream(), PREFACE, EMPTY_SETTINGS,
							random.nextBoolean() ? frames(random) : bytes(random, 1 + random.nextInt(2000)));
					if (random.nextBoolean()) {
						// says that nothing more comes, and reads what was answered
						socket.shutdownOutput();
						readToTheEnd(socket.getInputStream());
					}
				}
			}
			Eventually.until("all connections are closed",
					() -> telemetry.connectionsClosed.get() == CONNECTIONS && telemetry.isBalanced());
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
			assertThat(log.records()).as("nothing that an operator should look at")
				.noneMatch((record) -> record.getLevel().intValue() >= Level.WARNING.intValue());
		}
	}

	private static void send(OutputStream out, byte[]... parts) throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			all.writeBytes(part);
		}
		try {
			out.write(all.toByteArray());
		}
		catch (IOException ex) {
			// cut off already
		}
	}

	private static void readToTheEnd(InputStream in) {
		try {
			in.readAllBytes();
		}
		catch (IOException ex) {
			// or to the reset, which comes if the server has closed with bytes unread
		}
	}

	/**
	 * The headers of a call, and frames that may exist with random payloads of a length
	 * that is right.
	 */
	private static byte[] frames(Random random) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(frame(HEADERS, END_HEADERS, 1, request()));
		for (int count = 1 + random.nextInt(10); count > 0; count--) {
			int type = random.nextInt(LENGTHS.length);
			int length = (LENGTHS[type] >= 0) ? LENGTHS[type] : random.nextInt(100);
			byte[] payload = bytes(random, length);
			if (length > 0) {
				// padding that mostly fits
				payload[0] &= 0x1f;
			}
			boolean ofConnection = type == SETTINGS || type == PING || type == GOAWAY;
			out.writeBytes(frame(type, random.nextInt(256), ofConnection ? 0 : random.nextInt(4), payload));
		}
		return out.toByteArray();
	}

	private static byte[] frame(int type, int flags, int streamId, byte[] payload) {
		byte[] frame = Arrays.copyOf(
				new byte[] { 0, 0, (byte) payload.length, (byte) type, (byte) flags, 0, 0, 0, (byte) streamId },
				9 + payload.length);
		System.arraycopy(payload, 0, frame, 9, payload.length);
		return frame;
	}

	private static byte[] request() {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		String[] fields = { ":method", "POST", ":scheme", "http", ":path", "/t.Echo/Bidi", "content-type",
				"application/grpc" };
		for (int i = 0; i < fields.length; i++) {
			if (i % 2 == 0) {
				// a literal that is not indexed (RFC 7541 section 6.2.2)
				block.write(0);
			}
			block.write(fields[i].length());
			block.writeBytes(fields[i].getBytes(StandardCharsets.US_ASCII));
		}
		return block.toByteArray();
	}

	private static byte[] bytes(Random random, int length) {
		byte[] bytes = new byte[length];
		random.nextBytes(bytes);
		return bytes;
	}

}
