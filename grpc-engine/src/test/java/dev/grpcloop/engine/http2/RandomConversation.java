package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.zip.GZIPOutputStream;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * What a client sends that keeps all rules, as far as it can without hearing the answers:
 * calls of all kinds in each other's midst, and the frames of a connection between them.
 */
final class RandomConversation {

	private static final List<String> METHODS = List.of("/t.Echo/Unary", "/t.Raw/Unary", "/t.Echo/ServerStream",
			"/t.Raw/ServerStream", "/t.Raw/ClientStream", "/t.Echo/Bidi", "/t.Raw/Bidi", "/t.Nope/Unary");

	private static final int MAX_BYTES = 60_000;

	private static final int MAX_PINGS = 2;

	private static final int PRIORITY_FLAG = 0x20;

	private final RandomInput random;

	private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

	private final boolean stateless;

	private final List<ClientFrame> frames = new ArrayList<>();

	/** What the open calls have yet to send. */
	private final Map<Integer, Queue<ClientFrame>> calls = new LinkedHashMap<>();

	private int nextId = 1;

	private int bytes;

	private int pings;

	RandomConversation(RandomInput random) {
		this.random = random;
		this.stateless = random.oneIn(2);
	}

	/**
	 * All frames after the preface.
	 */
	List<ClientFrame> frames() {
		add(settings());
		add(new ClientFrame(Http2FrameTypes.SETTINGS, FrameScript.ACK, 0));
		for (int steps = 4 + this.random.below(40); steps > 0; steps--) {
			switch (this.random.below(10)) {
				case 0, 1 -> opens();
				case 2 -> connectionFrame();
				default -> sends();
			}
		}
		while (!this.calls.isEmpty() && !this.random.oneIn(30)) {
			sends();
		}
		return this.frames;
	}

	private void add(ClientFrame frame) {
		this.frames.add(frame);
	}

	private void sends() {
		if (this.calls.isEmpty()) {
			opens();
			return;
		}
		int id = this.random.oneOf(new ArrayList<>(this.calls.keySet()));
		Queue<ClientFrame> waiting = this.calls.get(id);
		if (waiting.isEmpty()) {
			this.calls.remove(id);
			return;
		}
		add(waiting.remove());
	}

	// calls

	private void opens() {
		int id = this.nextId;
		this.nextId += this.random.oneIn(10) ? 10 : 2;
		String path = this.random.oneOf(METHODS);
		boolean gzip = this.random.oneIn(5);
		Http2Headers headers = headers(path, gzip);
		List<byte[]> messages = messages(path.startsWith("/t.Echo"), gzip);
		int total = messages.stream().mapToInt((message) -> message.length).sum();
		if (this.random.oneIn(6)) {
			headers.add("content-length", String.valueOf(total));
		}
		Queue<ClientFrame> body = new ArrayDeque<>();
		boolean endsAtOnce = total == 0 && this.random.oneIn(3);
		headerBlock(id, encode(id, headers), endsAtOnce ? FrameScript.END_STREAM : 0);
		if (!endsAtOnce) {
			data(body, id, messages);
		}
		this.calls.put(id, body);
	}

	private Http2Headers headers(String path, boolean gzip) {
		Http2Headers headers = new DefaultHttp2Headers().method("POST")
			.scheme(this.random.oneIn(4) ? "https" : "http")
			.path(path)
			.authority("localhost")
			.add("te", "trailers")
			.add("content-type", this.random.oneIn(4) ? "application/grpc+proto" : "application/grpc");
		if (gzip) {
			headers.add("grpc-encoding", "gzip");
		}
		if (this.random.oneIn(3)) {
			headers.add("grpc-accept-encoding", this.random.oneIn(2) ? "gzip" : "identity,deflate,gzip");
		}
		if (this.random.oneIn(4)) {
			headers.add("grpc-timeout", this.random.oneOf(List.of("5S", "90S", "2H", "99999999H", "100000m")));
		}
		Metadata metadata = this.random.metadata();
		if (metadata.toString().length() < 1000) {
			List<String> fields = RandomInput.fields(metadata);
			for (int i = 0; i < fields.size(); i += 2) {
				headers.add(fields.get(i), fields.get(i + 1));
			}
		}
		return headers;
	}

	private byte[] encode(int id, Http2Headers headers) {
		if (this.stateless) {
			List<String> fields = new ArrayList<>();
			headers.forEach((field) -> {
				fields.add(field.getKey().toString());
				fields.add(field.getValue().toString());
			});
			return RawHpack.block(fields.toArray(new String[0]));
		}
		ByteBuf out = Unpooled.wrappedBuffer(new byte[8192]).clear();
		try {
			this.encoder.encodeHeaders(id, headers, out);
			return ByteBufUtil.getBytes(out);
		}
		catch (Http2Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * HEADERS, at times with padding, a priority and CONTINUATION frames.
	 */
	private void headerBlock(int id, byte[] block, int flags) {
		int rest = this.random.oneIn(6) ? this.random.below(block.length) : block.length;
		byte[] fragment = Arrays.copyOf(block, rest);
		byte[] payload = fragment;
		int allFlags = flags;
		if (this.random.oneIn(8)) {
			allFlags |= PRIORITY_FLAG;
			payload = RawHpack.concat(ByteBuffer.allocate(5).putInt(this.random.oneOf(0, id + 2)).array(), payload);
		}
		if (this.random.oneIn(8)) {
			allFlags |= FrameScript.PADDED;
			int padding = this.random.below(100);
			payload = RawHpack.concat(new byte[] { (byte) padding }, payload, new byte[padding]);
		}
		boolean whole = rest == block.length;
		add(new ClientFrame(Http2FrameTypes.HEADERS, whole ? allFlags | FrameScript.END_HEADERS : allFlags, id,
				payload));
		while (rest < block.length) {
			int length = this.random.oneIn(3) ? block.length - rest : 1 + this.random.below(block.length - rest);
			byte[] next = Arrays.copyOfRange(block, rest, rest + length);
			rest += length;
			add(new ClientFrame(Http2FrameTypes.CONTINUATION, (rest == block.length) ? FrameScript.END_HEADERS : 0, id,
					next));
		}
	}

	private List<byte[]> messages(boolean protobuf, boolean gzip) {
		List<byte[]> messages = new ArrayList<>();
		for (int count = this.random.oneOf(0, 1, 1, 1, 1, 2, 4); count > 0; count--) {
			byte[] body = new byte[this.random.below(this.random.oneOf(1, 20, 200, 200, 5000, 20_000))];
			this.random.random.nextBytes(body);
			if (protobuf) {
				body = BytesValue.of(ByteString.copyFrom(body)).toByteArray();
			}
			boolean compressed = gzip && !this.random.oneIn(4);
			byte[] message = ScriptedPeer.message(compressed ? gzip(body) : body);
			message[0] = (byte) (compressed ? 1 : 0);
			if (this.bytes + message.length < MAX_BYTES) {
				this.bytes += message.length;
				messages.add(message);
			}
		}
		return messages;
	}

	private static byte[] gzip(byte[] bytes) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
			gzip.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return out.toByteArray();
	}

	/**
	 * DATA frames whose borders are not those of the messages, and the end of the stream.
	 */
	private void data(Queue<ClientFrame> body, int id, List<byte[]> messages) {
		byte[] all = RawHpack.concat(messages.toArray(new byte[0][]));
		int end = this.random.below(8);
		int offset = 0;
		while (offset < all.length) {
			int bound = Math.min(all.length - offset, this.random.oneOf(1, 5, 100, 16_000, 16_000));
			int length = this.random.oneIn(2) ? bound : 1 + this.random.below(bound);
			byte[] piece = Arrays.copyOfRange(all, offset, offset + length);
			offset += length;
			body.add(data(id, (end < 4 && offset == all.length) ? FrameScript.END_STREAM : 0, piece));
			if (this.random.oneIn(6)) {
				body.add(new ClientFrame(Http2FrameTypes.WINDOW_UPDATE, 0, id,
						int32(this.random.oneOf(1, 10, 1000, 100_000))));
			}
		}
		if (end == 4 || (end < 4 && all.length == 0)) {
			body.add(data(id, FrameScript.END_STREAM, new byte[0]));
		}
		else if (end == 5) {
			byte[] block = RawHpack.block("x-end", "1");
			body.add(new ClientFrame(Http2FrameTypes.HEADERS, FrameScript.END_STREAM | FrameScript.END_HEADERS, id,
					block));
		}
		else if (end == 6) {
			body.add(new ClientFrame(Http2FrameTypes.RST_STREAM, 0, id, int32(this.random.oneOf(0, 2, 8))));
		}
	}

	private ClientFrame data(int id, int flags, byte[] piece) {
		if (this.random.oneIn(6)) {
			int padding = this.random.below(256);
			this.bytes += padding + 1;
			return new ClientFrame(Http2FrameTypes.DATA, flags | FrameScript.PADDED, id,
					RawHpack.concat(new byte[] { (byte) padding }, piece, new byte[padding]));
		}
		return new ClientFrame(Http2FrameTypes.DATA, flags, id, piece);
	}

	// the connection

	private void connectionFrame() {
		switch (this.random.below(12)) {
			case 0 -> {
				if (this.pings++ < MAX_PINGS) {
					byte[] content = ByteBuffer.allocate(8).putLong(this.random.random.nextLong()).array();
					add(new ClientFrame(Http2FrameTypes.PING, 0, 0, content));
				}
			}
			case 1, 2, 3 -> add(settings());
			case 4, 5, 6 -> add(new ClientFrame(Http2FrameTypes.WINDOW_UPDATE, 0, 0,
					int32(this.random.oneOf(1, 10, 1000, 100_000))));
			case 7 -> {
				if (this.nextId > 1) {
					add(new ClientFrame(Http2FrameTypes.WINDOW_UPDATE, 0, lastId(),
							int32(this.random.oneOf(1, 10, 1000, 100_000))));
				}
			}
			case 8 -> add(new ClientFrame(Http2FrameTypes.PRIORITY, 0, this.nextId,
					ByteBuffer.allocate(5).putInt(0).put((byte) 7).array()));
			case 9 -> add(new ClientFrame(0xb + this.random.below(200), this.random.below(256), this.random.below(20),
					new byte[this.random.below(50)]));
			case 10 -> add(new ClientFrame(Http2FrameTypes.PING, FrameScript.ACK, 0, new byte[8]));
			default -> {
				if (this.random.oneIn(5)) {
					add(new ClientFrame(Http2FrameTypes.GO_AWAY, 0, 0, new byte[8]));
				}
			}
		}
	}

	private int lastId() {
		for (int i = this.frames.size() - 1; i >= 0; i--) {
			if (this.frames.get(i).type() == Http2FrameTypes.HEADERS) {
				return this.frames.get(i).streamId();
			}
		}
		throw new IllegalStateException("no stream was opened");
	}

	private ClientFrame settings() {
		ByteBuffer payload = ByteBuffer.allocate(6 * this.random.below(4));
		while (payload.hasRemaining()) {
			int id = this.random.oneOf(0x1, 0x2, 0x3, 0x4, 0x4, 0x5, 0x6, 0x4321);
			payload.putShort((short) id).putInt(switch (id) {
				case 0x1 -> this.random.oneOf(0, 1, 60, 100, 130, 160, 4096, 65536);
				case 0x2, 0x3 -> this.random.oneOf(0, 1);
				case 0x4 -> this.random.oneOf(0, 1, 100, 1000, 20_000, 65535, 1 << 20);
				case 0x5 -> this.random.oneOf(16384, 16385, 20_000, 1 << 20, (1 << 24) - 1);
				default -> this.random.oneOf(0, 100, 1000, 8192, 1 << 20, -1);
			});
		}
		return new ClientFrame(Http2FrameTypes.SETTINGS, 0, 0, payload.array());
	}

	private static byte[] int32(int value) {
		return ByteBuffer.allocate(4).putInt(value).array();
	}

}
