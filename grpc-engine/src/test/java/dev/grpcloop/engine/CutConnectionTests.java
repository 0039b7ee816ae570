package dev.grpcloop.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections that break off after each byte of a call (case B44): nothing is lost but
 * the call. Lost buffers fail the class.
 */
class CutConnectionTests {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int FRAME_HEADER = 9;

	/** The length of the message with its prefix. */
	private static final int FRAMED = 10;

	private static final int DATA = 0;

	private static final int HEADERS = 1;

	private static final int SETTINGS = 4;

	private static final int END_HEADERS = 4;

	@BothModes
	void aConnectionMayEndAfterAnyByte(Mode mode) throws Exception {
		byte[] call = call();
		RecordingTelemetry telemetry = new RecordingTelemetry();
		try (TestServer server = TestServer.echo((builder) -> {
			mode.apply(builder);
			builder.telemetry(telemetry);
		})) {
			for (int length = 1; length <= call.length; length++) {
				try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().getPort())) {
					// every second one ends with a reset
					socket.setSoLinger(length % 2 == 0, 0);
					socket.getOutputStream().write(call, 0, length);
					int sent = length;
					int opened = length;
					Eventually.until("the server has read it", () -> telemetry.connectionsOpened.get() == opened
							&& telemetry.bytesReceived.get() == (long) sent * (sent + 1) / 2);
				}
			}
			Eventually.until("all connections are closed", () -> telemetry.connectionsClosed.get() == call.length);
			// three frames of data follow the headers
			int afterHeaders = 3 * FRAME_HEADER + 2 * FRAMED;
			assertThat(telemetry.method("t.Echo/Bidi").started).hasValue(afterHeaders + 1);
			assertThat(telemetry.isBalanced()).isTrue();
			assertThat(server.blocking().unary(Messages.text("alive"))).isEqualTo(Messages.text("alive"));
		}
	}

	/**
	 * The bytes of a client that begins a call and sends two messages, the second in two
	 * frames.
	 */
	private static byte[] call() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(PREFACE);
		frame(out, SETTINGS, 0, 0, new byte[0]);
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		field(block, ":method", "POST");
		field(block, ":scheme", "http");
		field(block, ":path", "/t.Echo/Bidi");
		field(block, ":authority", "localhost");
		field(block, "te", "trailers");
		field(block, "content-type", "application/grpc");
		frame(out, HEADERS, END_HEADERS, 1, block.toByteArray());
		byte[] message = Messages.text("abc").toByteArray();
		byte[] framed = new byte[FRAMED];
		framed[4] = (byte) message.length;
		System.arraycopy(message, 0, framed, 5, message.length);
		frame(out, DATA, 0, 1, framed);
		frame(out, DATA, 0, 1, Arrays.copyOf(framed, 7));
		frame(out, DATA, 0, 1, Arrays.copyOfRange(framed, 7, framed.length));
		return out.toByteArray();
	}

	private static void frame(ByteArrayOutputStream out, int type, int flags, int streamId, byte[] payload)
			throws IOException {
		out.write(new byte[] { 0, 0, (byte) payload.length, (byte) type, (byte) flags, 0, 0, 0, (byte) streamId });
		out.write(payload);
	}

	/**
	 * A literal field that is not indexed (RFC 7541 section 6.2.2).
	 */
	private static void field(ByteArrayOutputStream block, String name, String value) throws IOException {
		block.write(0);
		block.write(name.length());
		block.write(name.getBytes(StandardCharsets.US_ASCII));
		block.write(value.length());
		block.write(value.getBytes(StandardCharsets.US_ASCII));
	}

}
