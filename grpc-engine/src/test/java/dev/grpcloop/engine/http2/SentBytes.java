package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Reads what a client sends, whatever it is, and tells the {@link WireOracle} of it, so
 * that this knows what the server may answer.
 */
final class SentBytes {

	private static final int MAX_FRAME_SIZE = 16384;

	private static final int HEADER_LENGTH = 9;

	private static final int PREFACE_LENGTH = 24;

	private final WireOracle oracle;

	private final Map<Integer, Integer> framesOfStreams = new HashMap<>();

	private final List<String> frames = new ArrayList<>();

	/** The frame whose rest is still to come. */
	private final ByteBuffer begun = ByteBuffer.allocate(HEADER_LENGTH + MAX_FRAME_SIZE);

	private int prefaceLeft = PREFACE_LENGTH;

	/** There is a frame that ends the connection, and nothing counts after it. */
	private boolean over;

	/** The stream whose header block has not ended, or 0. */
	private int headerStream;

	SentBytes(WireOracle oracle) {
		this.oracle = oracle;
	}

	/**
	 * These bytes are about to be sent.
	 */
	void add(byte[] bytes) {
		for (byte b : bytes) {
			if (this.prefaceLeft > 0) {
				this.prefaceLeft--;
			}
			else if (!this.over) {
				add(b);
			}
		}
	}

	private void add(byte b) {
		this.begun.put(b);
		if (this.begun.position() < HEADER_LENGTH) {
			return;
		}
		int length = this.begun.getInt(0) >>> 8;
		if (length > MAX_FRAME_SIZE) {
			this.over = true;
		}
		else if (this.begun.position() == HEADER_LENGTH + length) {
			int type = this.begun.get(3) & 0xff;
			int flags = this.begun.get(4) & 0xff;
			int streamId = this.begun.getInt(5) & Integer.MAX_VALUE;
			frame(type, flags, streamId, Arrays.copyOfRange(this.begun.array(), HEADER_LENGTH, HEADER_LENGTH + length));
			this.begun.clear();
		}
	}

	private void frame(int type, int flags, int streamId, byte[] payload) {
		this.frames.add(FrameHeaders.describe(type, flags, streamId, payload.length));
		this.framesOfStreams.merge(streamId, 1, Integer::sum);
		switch (type) {
			case Http2FrameTypes.SETTINGS -> {
				if ((flags & FrameScript.ACK) == 0 && streamId == 0 && payload.length % 6 == 0) {
					settings(ByteBuffer.wrap(payload));
				}
			}
			case Http2FrameTypes.HEADERS -> {
				if (streamId > 0) {
					this.oracle.sentHeaders(streamId);
				}
				this.headerStream = ((flags & FrameScript.END_HEADERS) == 0) ? streamId : 0;
			}
			case Http2FrameTypes.PUSH_PROMISE ->
				this.headerStream = ((flags & FrameScript.END_HEADERS) == 0) ? streamId : 0;
			case Http2FrameTypes.CONTINUATION -> {
				if ((flags & FrameScript.END_HEADERS) != 0) {
					this.headerStream = 0;
				}
			}
			case Http2FrameTypes.DATA -> this.oracle.sentData(streamId, payload.length);
			case Http2FrameTypes.RST_STREAM -> this.oracle.sentReset(streamId);
			case Http2FrameTypes.WINDOW_UPDATE -> {
				if (payload.length == 4) {
					this.oracle.sentWindowUpdate(streamId, ByteBuffer.wrap(payload).getInt() & Integer.MAX_VALUE);
				}
			}
			default -> {
				// of no concern to what the server may send
			}
		}
	}

	private void settings(ByteBuffer payload) {
		int[] idsAndValues = new int[payload.remaining() / 3];
		for (int i = 0; i < idsAndValues.length; i += 2) {
			idsAndValues[i] = payload.getShort() & 0xffff;
			idsAndValues[i + 1] = payload.getInt();
		}
		this.oracle.sentSettings(idsAndValues);
	}

	/**
	 * What has to be sent so that a new frame may begin: the rest of the one that the
	 * last bytes have begun.
	 */
	byte[] completion() {
		int begun = this.begun.position();
		if (begun == 0 || this.over) {
			return new byte[0];
		}
		ByteBuffer header = ByteBuffer.allocate(4).put(this.begun.array(), 0, Math.min(3, begun));
		int length = header.getInt(0) >>> 8;
		return new byte[Math.max(0, HEADER_LENGTH + length - begun)];
	}

	/**
	 * The end of a header block that was begun, if one was.
	 */
	byte[] blockEnd() {
		return (this.headerStream == 0) ? new byte[0]
				: new ClientFrame(Http2FrameTypes.CONTINUATION, FrameScript.END_HEADERS, this.headerStream).bytes();
	}

	int framesOf(int streamId) {
		return this.framesOfStreams.getOrDefault(streamId, 0);
	}

	/**
	 * A line for each frame that was sent.
	 */
	List<String> frames() {
		return this.frames;
	}

}
