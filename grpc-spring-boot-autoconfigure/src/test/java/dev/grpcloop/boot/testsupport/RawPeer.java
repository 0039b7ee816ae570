package dev.grpcloop.boot.testsupport;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A client that sends any frame it likes. It waits for the server for at most 15 s, less
 * than any default of the server's times.
 */
public final class RawPeer implements AutoCloseable {

	public static final int DATA = 0;

	public static final int HEADERS = 1;

	public static final int PRIORITY = 2;

	public static final int RST_STREAM = 3;

	public static final int SETTINGS = 4;

	public static final int PING = 6;

	public static final int GOAWAY = 7;

	public static final int WINDOW_UPDATE = 8;

	public static final int CONTINUATION = 9;

	public static final int ACK = 1;

	public static final int END_STREAM = 1;

	public static final int END_HEADERS = 4;

	private final Socket socket = new Socket();

	private final OutputStream output;

	private final DataInputStream input;

	private @Nullable String goAway;

	public RawPeer(int port) throws IOException {
		this.socket.setReceiveBufferSize(64 * 1024);
		this.socket.setSoTimeout(15_000);
		this.socket.connect(new InetSocketAddress("127.0.0.1", port));
		this.output = this.socket.getOutputStream();
		this.input = new DataInputStream(new BufferedInputStream(this.socket.getInputStream()));
	}

	/**
	 * Sends the preface and SETTINGS, and acknowledges the server's.
	 * @param settings identifiers and values in turns
	 */
	public RawPeer begin(int... settings) throws IOException {
		ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
		for (int i = 0; i < settings.length; i += 2) {
			payload.putShort((short) settings[i]).putInt(settings[i + 1]);
		}
		this.output.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		return send(SETTINGS, 0, 0, payload.array()).send(SETTINGS, ACK, 0);
	}

	public RawPeer send(int type, int flags, int stream, byte... payload) throws IOException {
		ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
		frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
		frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
		try {
			this.output.write(frame.array());
		}
		catch (SocketException ex) {
			// the server has closed the connection: what it said before can be read
		}
		return this;
	}

	/** Begins a call of {@code test.v1.Greeter}, of the static table and literals. */
	public RawPeer call(int stream, String method) throws IOException {
		return send(HEADERS, END_HEADERS, stream, headers(method));
	}

	public static byte[] headers(String method) {
		// :method POST, :scheme http, then :path, content-type and te as literals
		ByteBuffer block = ByteBuffer.allocate(256).put((byte) 0x83).put((byte) 0x86);
		literal(block, 4, null, "/test.v1.Greeter/" + method);
		literal(block, 0, "content-type", "application/grpc");
		literal(block, 0, "te", "trailers");
		byte[] bytes = new byte[block.position()];
		block.flip().get(bytes);
		return bytes;
	}

	private static void literal(ByteBuffer block, int index, @Nullable String name, String value) {
		block.put((byte) index);
		if (name != null) {
			block.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
		}
		block.put((byte) value.length()).put(value.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * Reads the next frame, and answers it if it is a ping.
	 * @return the frame, or {@code null} if the server has closed the connection
	 */
	public @Nullable Frame read() throws IOException {
		try {
			int length = this.input.readUnsignedByte() << 16 | this.input.readUnsignedShort();
			Frame frame = new Frame(this.input.readUnsignedByte(), this.input.readUnsignedByte(), this.input.readInt(),
					new byte[length]);
			this.input.readFully(frame.payload());
			if (frame.type() == PING && frame.flags() == 0) {
				send(PING, ACK, 0, frame.payload());
			}
			if (frame.type() == GOAWAY) {
				this.goAway = new String(frame.payload(), 8, frame.payload().length - 8, StandardCharsets.UTF_8);
			}
			return frame;
		}
		catch (EOFException | SocketException ex) {
			return null;
		}
	}

	/** Reads until there is a frame. */
	public Frame await(int type, int flags) throws IOException {
		Frame frame = read();
		while (frame != null && (frame.type() != type || frame.flags() != flags)) {
			frame = read();
		}
		if (frame == null) {
			throw new AssertionError("the server has closed the connection");
		}
		return frame;
	}

	/** Reads until the server has closed the connection. */
	public void awaitEnd() throws IOException {
		while (read() != null) {
			// what it says before is recorded
		}
	}

	/**
	 * Returns why the server has told the client to go.
	 * @return the debug data of the last GOAWAY frame, or {@code null} if there was none
	 */
	public @Nullable String goAway() {
		return this.goAway;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	public record Frame(int type, int flags, int stream, byte[] payload) {
	}

}
