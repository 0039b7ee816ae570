package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One stream as its client sees it.
 */
final class WireStream {

	final int id;

	Phase phase = Phase.OPENED;

	/** Names and values in turn. */
	List<String> headers = List.of();

	List<String> trailers = List.of();

	/** The response was one HEADERS frame. */
	boolean trailersOnly;

	final Body body = new Body();

	long resetCode = -1;

	/** The server ended its side, and then told the client to stop. */
	boolean resetAfterEnd;

	/** The code of the last RST_STREAM, whatever it answered. */
	long lastResetCode = -1;

	/** How often the engine answered STREAM_CLOSED. */
	int faultsAfterEnd;

	/** What the server may send. */
	long outboundWindow;

	/** What the client may send. */
	long inboundWindow;

	int windowUpdates;

	boolean resetByClient;

	/** The client's END_STREAM has been read, and all that was written before too. */
	boolean endWasRead;

	WireStream(int id, long outboundWindow, long inboundWindow) {
		this.id = id;
		this.outboundWindow = outboundWindow;
		this.inboundWindow = inboundWindow;
	}

	@Nullable String header(String name) {
		return field(this.headers, name);
	}

	/**
	 * A field of the trailers, or of the headers if the response has no others.
	 */
	@Nullable String trailer(String name) {
		return field(this.trailersOnly ? this.headers : this.trailers, name);
	}

	static @Nullable String field(List<String> fields, String name) {
		for (int i = 0; i < fields.size(); i += 2) {
			if (fields.get(i).equals(name)) {
				return fields.get(i + 1);
			}
		}
		return null;
	}

	static List<String> fields(List<String> fields, String name) {
		List<String> values = new ArrayList<>();
		for (int i = 0; i < fields.size(); i += 2) {
			if (fields.get(i).equals(name)) {
				values.add(fields.get(i + 1));
			}
		}
		return values;
	}

	/**
	 * The code of {@code grpc-status}, or -1 if none came.
	 */
	int status() {
		String status = trailer("grpc-status");
		return (status != null) ? Integer.parseInt(status) : -1;
	}

	boolean isReset() {
		return this.resetCode >= 0;
	}

	/**
	 * Whether the server sends nothing more.
	 */
	boolean isOver() {
		return this.phase == Phase.ENDED || this.phase == Phase.RESET;
	}

	/**
	 * The messages of the body, without their prefixes; what is left over is an error.
	 */
	List<byte[]> messages() {
		List<byte[]> messages = new ArrayList<>();
		byte[] bytes = this.body.toByteArray();
		int index = 0;
		while (index < bytes.length) {
			if (bytes.length - index < 5) {
				throw new AssertionError("the body ends in the middle of a prefix");
			}
			int length = (bytes[index + 1] & 0xff) << 24 | (bytes[index + 2] & 0xff) << 16
					| (bytes[index + 3] & 0xff) << 8 | bytes[index + 4] & 0xff;
			if (bytes[index] != 0 || length > bytes.length - index - 5) {
				throw new AssertionError("the body ends in the middle of a message, or has a flag");
			}
			byte[] message = new byte[length];
			System.arraycopy(bytes, index + 5, message, 0, length);
			messages.add(message);
			index += 5 + length;
		}
		return messages;
	}

	/**
	 * How far the response is.
	 */
	enum Phase {

		OPENED, HEADERS, ENDED, RESET

	}

	/**
	 * The bytes of DATA frames.
	 */
	static final class Body extends ByteArrayOutputStream {

		@Override
		public void writeBytes(byte[] bytes) {
			super.write(bytes, 0, bytes.length);
		}

		/**
		 * Whether the bytes are the beginning of others.
		 */
		boolean isPrefixOf(byte[] whole) {
			return this.count <= whole.length && Arrays.equals(this.buf, 0, this.count, whole, 0, this.count);
		}

	}

}
