package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Spoils a conversation here and there.
 */
final class FrameMutator {

	private static final String[][] FIELDS = { { ":path", "/t.Echo/Bidi" }, { ":path", "" }, { ":method", "GET" },
			{ ":scheme", "" }, { ":status", "200" }, { ":nope", "x" }, { "X-Upper", "x" }, { "", "x" },
			{ "connection", "close" }, { "transfer-encoding", "chunked" }, { "te", "gzip" }, { "te", "trailers" },
			{ "x y", "z" }, { "x", "a\0b" }, { "x", "a\r\nb" }, { "x", " a " }, { "\u00e9", "\u00e9" },
			{ "host", "elsewhere" }, { ":authority", "elsewhere" }, { "content-length", "5" },
			{ "content-length", "-1" }, { "content-length", "99999999999999999999" }, { "grpc-timeout", "1n" },
			{ "grpc-timeout", "x" }, { "grpc-encoding", "zz9" }, { "grpc-encoding", "gzip" },
			{ "content-type", "text/plain" }, { "x-bin", "!!!" }, { "x-bin", "AAA=" }, { "cookie", "a=b" } };

	private final RandomInput random;

	FrameMutator(RandomInput random) {
		this.random = random;
	}

	/**
	 * Spoils what only one call can notice: the connection has to go on.
	 */
	void spoilCalls(List<ClientFrame> frames) {
		for (int count = 1 + this.random.below(4); count > 0; count--) {
			int index = this.random.below(frames.size());
			ClientFrame frame = frames.get(index);
			if (frame.streamId() == 0) {
				continue;
			}
			switch (frame.type()) {
				case Http2FrameTypes.DATA -> frames.set(index, spoiltMessage(frame));
				case Http2FrameTypes.HEADERS -> {
					if (!frame.isFlagged(FrameScript.PADDED) && frame.isFlagged(FrameScript.END_HEADERS)
							&& frame.payload().length < 1200) {
						frames.set(index, frame.withPayload(RawHpack.concat(frame.payload(), RawHpack.block(field()))));
					}
				}
				default -> {
					// of no interest to a call alone
				}
			}
		}
	}

	private ClientFrame spoiltMessage(ClientFrame frame) {
		int start = frame.isFlagged(FrameScript.PADDED) ? 1 : 0;
		byte[] payload = frame.payload().clone();
		if (payload.length >= start + 5) {
			switch (this.random.below(4)) {
				case 0 -> payload[start] = (byte) this.random.oneOf(1, 2, 0x80, 0xff);
				case 1 -> ByteBuffer.wrap(payload)
					.putInt(start + 1, this.random.oneOf(0, -1, 1, 1 << 22, Integer.MAX_VALUE, 5));
				case 2 -> payload[start + 4] ^= (byte) (1 << this.random.below(8));
				default -> payload[start + this.random.below(payload.length - start)] ^= 0x55;
			}
		}
		return frame.withPayload(payload);
	}

	private String[] field() {
		if (this.random.oneIn(8)) {
			return new String[] { "x-long", "v".repeat(this.random.oneOf(100, 3000, 9000)) };
		}
		return FIELDS[this.random.below(FIELDS.length)];
	}

	/**
	 * Spoils anything.
	 */
	void spoil(List<ClientFrame> frames) {
		for (int count = 1 + this.random.below(this.random.oneIn(4) ? 20 : 3); count > 0; count--) {
			spoilOne(frames);
		}
	}

	private void spoilOne(List<ClientFrame> frames) {
		int index = this.random.below(frames.size());
		ClientFrame frame = frames.get(index);
		switch (this.random.below(17)) {
			case 0 -> frames.set(index, frame.withType(this.random.oneIn(6) ? this.random.below(256) : type()));
			case 1 -> frames.set(index, frame.withFlags(frame.flags() ^ flag()));
			case 2 -> frames.set(index, frame.withStreamId(streamId(frame, frames)));
			case 3 -> frames.set(index, frame.withPayload(flipped(frame.payload())));
			case 4 -> frames.set(index,
					frame.withPayload(Arrays.copyOf(frame.payload(), this.random.below(frame.payload().length + 8))));
			case 5 -> frames.set(index, frame.withLength(
					Math.max(0, frame.length() + this.random.oneOf(-9, -1, 1, 9, -frame.length(), 16384, 1 << 20))));
			case 6 -> frames.add(this.random.below(frames.size() + 1), frame);
			case 7 -> {
				if (frames.size() > 1) {
					frames.remove(index);
				}
			}
			case 8 -> {
				int other = this.random.below(frames.size());
				frames.set(index, frames.get(other));
				frames.set(other, frame);
			}
			case 9, 10 -> frames.add(index, inserted(frames));
			case 11 -> {
				int cut = this.random.below(frame.payload().length + 1);
				frames.set(index, frame.withPayload(Arrays.copyOf(frame.payload(), cut)));
				byte[] rest = Arrays.copyOfRange(frame.payload(), cut, frame.payload().length);
				frames.add(index + 1, frame.withPayload(rest)
					.withType(this.random.oneIn(2) ? Http2FrameTypes.CONTINUATION : frame.type()));
			}
			case 12, 13 -> frames.set(index, spoiltBlock(frame));
			case 14 -> frames.set(index, spoiltMessage(frame));
			case 15 -> frames.addAll(index, Collections.nCopies(this.random.oneOf(2, 10, 50, 300), frame));
			default -> spoilCalls(frames);
		}
	}

	private int type() {
		return this.random.below(10);
	}

	private int flag() {
		return this.random.oneOf(0x1, 0x1, 0x4, 0x4, 0x8, 0x20, 0x2, 0x40, 0xff);
	}

	private int streamId(ClientFrame frame, List<ClientFrame> frames) {
		return switch (this.random.below(6)) {
			case 0 -> 0;
			case 1 -> frame.streamId() ^ Integer.MIN_VALUE;
			case 2 -> Integer.MAX_VALUE - this.random.below(2);
			case 3 -> this.random.below(40);
			default -> this.random.oneOf(frames).streamId();
		};
	}

	private byte[] flipped(byte[] payload) {
		byte[] flipped = payload.clone();
		if (flipped.length > 0) {
			flipped[this.random.below(flipped.length)] ^= (byte) (1 << this.random.below(8));
		}
		return flipped;
	}

	private ClientFrame inserted(List<ClientFrame> frames) {
		int type = type();
		int id = streamId(this.random.oneOf(frames), frames);
		byte[] payload = switch (type) {
			case Http2FrameTypes.WINDOW_UPDATE, Http2FrameTypes.RST_STREAM -> ByteBuffer.allocate(4)
				.putInt(this.random.oneOf(0, 1, 8, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, Integer.MAX_VALUE - 65535))
				.array();
			case Http2FrameTypes.SETTINGS -> ByteBuffer.allocate(6)
				.putShort((short) this.random.below(10))
				.putInt(this.random.oneOf(0, 1, 2, Integer.MAX_VALUE, -1, 16383, 1 << 24, 65535))
				.array();
			case Http2FrameTypes.PRIORITY -> ByteBuffer.allocate(5).putInt(this.random.oneOf(0, id, 3)).array();
			case Http2FrameTypes.PING, Http2FrameTypes.GO_AWAY ->
				new byte[this.random.oneIn(4) ? this.random.below(20) : 8];
			case Http2FrameTypes.HEADERS, Http2FrameTypes.CONTINUATION, Http2FrameTypes.PUSH_PROMISE ->
				RawHpack.block(this.random.oneIn(2) ? ScriptedPeer.request("/t.Echo/Unary") : field());
			default -> bytes(this.random.below(60));
		};
		int flags = this.random.oneIn(3) ? this.random.below(256) : this.random.oneOf(0, 0x1, 0x4, 0x5);
		return new ClientFrame(type, flags, (type == 4 || type == 6 || type == 7) && !this.random.oneIn(4) ? 0 : id,
				payload);
	}

	private byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		this.random.random.nextBytes(bytes);
		return bytes;
	}

	/**
	 * Puts something into a header block, at its beginning, its end or just anywhere.
	 */
	private ClientFrame spoiltBlock(ClientFrame frame) {
		byte[] inserted = switch (this.random.below(9)) {
			case 0 -> RawHpack.indexed(this.random.oneOf(0, 1, 5, 61, 62, 63, 64, 70, 127, 1 << 20));
			case 1 -> RawHpack.tableSize(this.random.oneOf(0, 1, 100, 4095, 4096, 4097, 1 << 20));
			case 2 -> RawHpack.insertingBlock(field());
			case 3 -> RawHpack.block(field());
			case 4 -> huffman();
			case 5 -> new byte[] { (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f };
			case 6 -> new byte[] { 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f };
			case 7 -> RawHpack.insertingBlock("x-big", "v".repeat(this.random.oneOf(2000, 4100)));
			default -> bytes(1 + this.random.below(10));
		};
		int at = this.random.oneOf(0, frame.payload().length, this.random.below(frame.payload().length + 1));
		return frame.withPayload(RawHpack.concat(Arrays.copyOf(frame.payload(), at), inserted,
				Arrays.copyOfRange(frame.payload(), at, frame.payload().length)));
	}

	/**
	 * A literal whose name and value are no Huffman code, or a doubtful one.
	 */
	private byte[] huffman() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(this.random.oneOf(0x00, 0x10, 0x40));
		for (int i = 0; i < 2; i++) {
			byte[] text = this.random.oneIn(2) ? bytes(this.random.below(20))
					: "\u00ff\u00ff\u00ff\u00ff".getBytes(StandardCharsets.ISO_8859_1);
			out.write(0x80 | text.length);
			out.writeBytes(text);
		}
		return out.toByteArray();
	}

	/**
	 * Spoils bytes, wherever frames begin and end.
	 */
	byte[] spoil(byte[] bytes) {
		byte[] spoilt = bytes.clone();
		for (int count = 1 + this.random.below(4); count > 0 && spoilt.length > 0; count--) {
			int at = this.random.below(spoilt.length);
			int end = Math.min(spoilt.length, at + this.random.below(40));
			spoilt = switch (this.random.below(6)) {
				case 0, 1 -> {
					spoilt[at] ^= (byte) (1 << this.random.below(8));
					yield spoilt;
				}
				case 2 -> RawHpack.concat(Arrays.copyOf(spoilt, at), Arrays.copyOfRange(spoilt, end, spoilt.length));
				case 3 -> RawHpack.concat(Arrays.copyOf(spoilt, end), Arrays.copyOfRange(spoilt, at, spoilt.length));
				case 4 -> RawHpack.concat(Arrays.copyOf(spoilt, at), bytes(this.random.below(20)),
						Arrays.copyOfRange(spoilt, at, spoilt.length));
				default -> Arrays.copyOf(spoilt, end);
			};
		}
		return spoilt;
	}

}
