package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * The frames that a client is about to send, good and bad ones. What a client must know
 * of them to judge the answers is told to its {@link WireOracle}.
 *
 * @param <S> the type of the script itself
 */
abstract class FrameScript<S extends FrameScript<S>> {

	static final int END_STREAM = 0x1;

	static final int END_HEADERS = 0x4;

	static final int PADDED = 0x8;

	static final int ACK = 0x1;

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	final WireOracle oracle = new WireOracle();

	/** Streams whose END_STREAM is in the script. */
	private final Set<Integer> ending = new HashSet<>();

	private ByteArrayOutputStream script = new ByteArrayOutputStream();

	abstract S self();

	int scriptLength() {
		return this.script.size();
	}

	/**
	 * Empties the script.
	 * @return its bytes
	 */
	final byte[] takeScript() {
		byte[] bytes = this.script.toByteArray();
		this.script = new ByteArrayOutputStream();
		return bytes;
	}

	/**
	 * All of the script was read, and all that was answered has come.
	 */
	final void wasRead() {
		this.ending.forEach((id) -> this.oracle.stream(id).endWasRead = true);
		this.ending.clear();
	}

	S preface() {
		return raw(PREFACE);
	}

	/**
	 * SETTINGS, to be applied when the server acknowledges them.
	 * @param idsAndValues identifiers and values in turn
	 */
	S settings(int... idsAndValues) {
		this.oracle.sentSettings(idsAndValues);
		ByteBuffer payload = ByteBuffer.allocate(3 * idsAndValues.length);
		for (int i = 0; i < idsAndValues.length; i += 2) {
			payload.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
		}
		return frame(Http2FrameTypes.SETTINGS, 0, 0, payload.array());
	}

	S settingsAck() {
		return frame(Http2FrameTypes.SETTINGS, ACK, 0);
	}

	S headers(int streamId, String... fields) {
		return headers(streamId, 0, RawHpack.block(fields));
	}

	S lastHeaders(int streamId, String... fields) {
		return headers(streamId, END_STREAM, RawHpack.block(fields));
	}

	/**
	 * HEADERS in one frame.
	 * @param flags {@link #END_STREAM} or 0
	 */
	S headers(int streamId, int flags, byte[] block) {
		opens(streamId, flags);
		return frame(Http2FrameTypes.HEADERS, flags | END_HEADERS, streamId, block);
	}

	/**
	 * HEADERS and CONTINUATION frames.
	 * @param fragments the lengths of all fragments but the last
	 */
	S fragmentedHeaders(int streamId, int flags, byte[] block, int... fragments) {
		opens(streamId, flags);
		int type = Http2FrameTypes.HEADERS;
		int offset = 0;
		for (int length : fragments) {
			byte[] fragment = new byte[length];
			System.arraycopy(block, offset, fragment, 0, length);
			frame(type, (type == Http2FrameTypes.HEADERS) ? flags : 0, streamId, fragment);
			type = Http2FrameTypes.CONTINUATION;
			offset += length;
		}
		byte[] rest = new byte[block.length - offset];
		System.arraycopy(block, offset, rest, 0, rest.length);
		return frame(type, (type == Http2FrameTypes.HEADERS) ? flags | END_HEADERS : END_HEADERS, streamId, rest);
	}

	private void opens(int streamId, int flags) {
		if (streamId > 0) {
			this.oracle.sentHeaders(streamId);
			ends(streamId, flags);
		}
	}

	private void ends(int streamId, int flags) {
		if (streamId > 0 && (flags & END_STREAM) != 0) {
			this.ending.add(streamId);
		}
	}

	S data(int streamId, byte[] bytes) {
		return data(streamId, 0, bytes);
	}

	S lastData(int streamId, byte... bytes) {
		return data(streamId, END_STREAM, bytes);
	}

	private S data(int streamId, int flags, byte[] bytes) {
		this.oracle.sentData(streamId, bytes.length);
		ends(streamId, flags);
		return frame(Http2FrameTypes.DATA, flags, streamId, bytes);
	}

	/**
	 * DATA with padding.
	 * @param padding bytes of padding, 0 to 255, beside the one that says how many
	 */
	S paddedData(int streamId, int flags, byte[] bytes, int padding) {
		byte[] payload = new byte[1 + bytes.length + padding];
		payload[0] = (byte) padding;
		System.arraycopy(bytes, 0, payload, 1, bytes.length);
		this.oracle.sentData(streamId, payload.length);
		ends(streamId, flags);
		return frame(Http2FrameTypes.DATA, flags | PADDED, streamId, payload);
	}

	/**
	 * DATA with one message in as many frames as it needs.
	 */
	S message(int streamId, byte[] framed) {
		for (int offset = 0; offset < framed.length; offset += 16384) {
			int count = Math.min(16384, framed.length - offset);
			byte[] piece = new byte[count];
			System.arraycopy(framed, offset, piece, 0, count);
			data(streamId, piece);
		}
		return self();
	}

	S windowUpdate(int streamId, int increment) {
		this.oracle.sentWindowUpdate(streamId, increment);
		return illegalWindowUpdate(streamId, increment);
	}

	/**
	 * WINDOW_UPDATE that the server must not take for good.
	 */
	S illegalWindowUpdate(int streamId, int increment) {
		return frame(Http2FrameTypes.WINDOW_UPDATE, 0, streamId, int32(increment));
	}

	S reset(int streamId, int errorCode) {
		this.oracle.sentReset(streamId);
		return frame(Http2FrameTypes.RST_STREAM, 0, streamId, int32(errorCode));
	}

	S ping(long content) {
		return frame(Http2FrameTypes.PING, 0, 0, ByteBuffer.allocate(8).putLong(content).array());
	}

	S pingAck(long content) {
		return frame(Http2FrameTypes.PING, ACK, 0, ByteBuffer.allocate(8).putLong(content).array());
	}

	S frame(int type, int flags, int streamId, byte... payload) {
		return raw(ByteBuffer.allocate(9 + payload.length)
			.put((byte) (payload.length >>> 16))
			.putShort((short) payload.length)
			.put((byte) type)
			.put((byte) flags)
			.putInt(streamId)
			.put(payload)
			.array());
	}

	S raw(byte[] bytes) {
		this.script.writeBytes(bytes);
		return self();
	}

	private static byte[] int32(int value) {
		return ByteBuffer.allocate(4).putInt(value).array();
	}

}
