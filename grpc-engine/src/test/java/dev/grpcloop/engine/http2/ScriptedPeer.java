package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.call.MethodRegistry;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client at the other end of one connection. Verbs in the present tense add frames to
 * its script; {@link #play()} sends them in one piece, and everything the server answers
 * goes through the {@link WireOracle}.
 */
final class ScriptedPeer implements AutoCloseable {

	static final int END_STREAM = 0x1;

	static final int END_HEADERS = 0x4;

	static final int PADDED = 0x8;

	static final int ACK = 0x1;

	/** A protobuf message with its prefix: a {@code BytesValue} of three bytes. */
	static final byte[] ABC = message(new byte[] { 0x0a, 3, 'a', 'b', 'c' });

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int DEFAULT_MAX_MESSAGE_SIZE = 4 * 1024 * 1024;

	final SteppedLoop loop = new SteppedLoop();

	final WireOracle oracle = new WireOracle();

	final SteppedExecutor executor = new SteppedExecutor(this.loop);

	final RecordedTelemetry telemetry = new RecordedTelemetry();

	final SteppedChannel channel = new SteppedChannel(this.loop, this.oracle::read);

	private final Set<Integer> ending = new HashSet<>();

	private final CapturedLog log = CapturedLog.ofEngine();

	private ByteArrayOutputStream script = new ByteArrayOutputStream();

	private Http2Connection connection;

	private int connectionsClosed;

	private final boolean offLoop;

	private ScriptedPeer(Server server) {
		this.offLoop = server.offLoop;
		server.service.runsWhere(() -> this.loop.inEventLoop() != server.offLoop);
		MethodRegistry registry = new MethodRegistry(server.service.definitions(), List.of(), server.fallback,
				(method) -> !server.offLoop);
		CallEnvironment environment = new CallEnvironment(registry, server.offLoop ? this.executor : null, null,
				Context.ROOT, CompressorRegistry.getDefaultInstance(), DecompressorRegistry.getDefaultInstance(),
				server.maxMessageSize, 64 * 1024 * 1024, List.of());
		CallLoop callLoop = new CallLoop(this.telemetry, registry, this.loop.clock());
		this.channel.open(new Http2ServerHandler(callLoop, environment, server.limits, server.acceptEncoding, List.of(),
				new Owner()));
	}

	/**
	 * A client of a server with one service.
	 */
	static Server of(ScriptedService service) {
		return new Server(service);
	}

	/**
	 * The fields of a good request.
	 * @param path for example {@code /t.Echo/Unary}
	 * @param more names and values in turn
	 */
	static String[] request(String path, String... more) {
		List<String> fields = new ArrayList<>(List.of(":method", "POST", ":scheme", "http", ":path", path, ":authority",
				"localhost", "te", "trailers", "content-type", "application/grpc"));
		fields.addAll(List.of(more));
		return fields.toArray(new String[0]);
	}

	/**
	 * A message with its prefix.
	 */
	static byte[] message(byte[] body) {
		return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(body.length).put(body).array();
	}

	boolean runsOffLoop() {
		return this.offLoop;
	}

	Http2Connection connection() {
		return this.connection;
	}

	// the script

	ScriptedPeer preface() {
		return raw(PREFACE);
	}

	/**
	 * SETTINGS, to be applied when the server acknowledges them.
	 * @param idsAndValues identifiers and values in turn
	 */
	ScriptedPeer settings(int... idsAndValues) {
		this.oracle.sentSettings(idsAndValues);
		ByteBuffer payload = ByteBuffer.allocate(3 * idsAndValues.length);
		for (int i = 0; i < idsAndValues.length; i += 2) {
			payload.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
		}
		return frame(Http2FrameTypes.SETTINGS, 0, 0, payload.array());
	}

	ScriptedPeer settingsAck() {
		return frame(Http2FrameTypes.SETTINGS, ACK, 0);
	}

	ScriptedPeer headers(int streamId, String... fields) {
		return headers(streamId, 0, RawHpack.block(fields));
	}

	ScriptedPeer lastHeaders(int streamId, String... fields) {
		return headers(streamId, END_STREAM, RawHpack.block(fields));
	}

	/**
	 * HEADERS in one frame.
	 * @param flags {@link #END_STREAM} or 0
	 */
	ScriptedPeer headers(int streamId, int flags, byte[] block) {
		opens(streamId, flags);
		return frame(Http2FrameTypes.HEADERS, flags | END_HEADERS, streamId, block);
	}

	/**
	 * HEADERS and CONTINUATION frames.
	 * @param fragments the lengths of all fragments but the last
	 */
	ScriptedPeer fragmentedHeaders(int streamId, int flags, byte[] block, int... fragments) {
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
		if ((flags & END_STREAM) != 0) {
			this.ending.add(streamId);
		}
	}

	ScriptedPeer data(int streamId, byte[] bytes) {
		return data(streamId, 0, bytes);
	}

	ScriptedPeer lastData(int streamId, byte... bytes) {
		return data(streamId, END_STREAM, bytes);
	}

	private ScriptedPeer data(int streamId, int flags, byte[] bytes) {
		this.oracle.sentData(streamId, bytes.length);
		ends(streamId, flags);
		return frame(Http2FrameTypes.DATA, flags, streamId, bytes);
	}

	/**
	 * DATA with padding.
	 * @param padding bytes of padding, 0 to 255, beside the one that says how many
	 */
	ScriptedPeer paddedData(int streamId, int flags, byte[] bytes, int padding) {
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
	ScriptedPeer message(int streamId, byte[] framed) {
		for (int offset = 0; offset < framed.length; offset += 16384) {
			int count = Math.min(16384, framed.length - offset);
			byte[] piece = new byte[count];
			System.arraycopy(framed, offset, piece, 0, count);
			data(streamId, piece);
		}
		return this;
	}

	ScriptedPeer windowUpdate(int streamId, int increment) {
		this.oracle.sentWindowUpdate(streamId, increment);
		return illegalWindowUpdate(streamId, increment);
	}

	/**
	 * WINDOW_UPDATE that the server must not take for good.
	 */
	ScriptedPeer illegalWindowUpdate(int streamId, int increment) {
		return frame(Http2FrameTypes.WINDOW_UPDATE, 0, streamId, int32(increment));
	}

	ScriptedPeer reset(int streamId, int errorCode) {
		this.oracle.sentReset(streamId);
		return frame(Http2FrameTypes.RST_STREAM, 0, streamId, int32(errorCode));
	}

	ScriptedPeer ping(long content) {
		return frame(Http2FrameTypes.PING, 0, 0, ByteBuffer.allocate(8).putLong(content).array());
	}

	ScriptedPeer pingAck(long content) {
		return frame(Http2FrameTypes.PING, ACK, 0, ByteBuffer.allocate(8).putLong(content).array());
	}

	ScriptedPeer frame(int type, int flags, int streamId, byte... payload) {
		return raw(ByteBuffer.allocate(9 + payload.length)
			.put((byte) (payload.length >>> 16))
			.putShort((short) payload.length)
			.put((byte) type)
			.put((byte) flags)
			.putInt(streamId)
			.put(payload)
			.array());
	}

	ScriptedPeer raw(byte[] bytes) {
		this.script.writeBytes(bytes);
		return this;
	}

	private static byte[] int32(int value) {
		return ByteBuffer.allocate(4).putInt(value).array();
	}

	// the play

	/**
	 * Sends what is in the script in one read, and lets the server do all it has to do.
	 */
	ScriptedPeer play() {
		deliver();
		return settle();
	}

	/**
	 * Sends what is in the script in one read. What the server puts off to another task
	 * is left.
	 */
	ScriptedPeer deliver() {
		return deliver(this.script.size());
	}

	/**
	 * Sends what is in the script in reads of a number of bytes each.
	 */
	ScriptedPeer playInPieces(int length) {
		byte[] bytes = takeScript();
		for (int offset = 0; offset < bytes.length; offset += length) {
			raw(Arrays.copyOfRange(bytes, offset, Math.min(bytes.length, offset + length))).deliver();
		}
		return settle();
	}

	/**
	 * Sends what is in the script in two reads.
	 * @param cut where the second begins
	 */
	ScriptedPeer playCutAt(int cut) {
		return playOnly(cut).play();
	}

	/**
	 * Sends the first bytes of the script in one read, and leaves the rest.
	 */
	ScriptedPeer playOnly(int length) {
		deliver(length);
		return settle();
	}

	int scriptLength() {
		return this.script.size();
	}

	private ScriptedPeer deliver(int length) {
		byte[] bytes = takeScript();
		this.channel.receives(Arrays.copyOf(bytes, length));
		raw(Arrays.copyOfRange(bytes, length, bytes.length));
		if (this.channel.isSocketUnlimited() && length == bytes.length) {
			this.ending.forEach((id) -> {
				if (id > 0) {
					this.oracle.stream(id).endWasRead = true;
				}
			});
			this.ending.clear();
		}
		return this;
	}

	private byte[] takeScript() {
		byte[] bytes = this.script.toByteArray();
		this.script = new ByteArrayOutputStream();
		return bytes;
	}

	/**
	 * Lets the server do all it has to do now, on the loop and off it.
	 */
	ScriptedPeer settle() {
		while (this.loop.hasTasks() || this.executor.hasTasks()) {
			this.loop.runAll();
			this.executor.runAll();
		}
		this.channel.verify();
		return this;
	}

	/**
	 * Exchanges prefaces and settings.
	 */
	ScriptedPeer connects(int... settings) {
		preface().settings(settings).play();
		return settingsAck().play();
	}

	// the end

	WireStream stream(int streamId) {
		return this.oracle.stream(streamId);
	}

	boolean isConnected() {
		return this.channel.isActive();
	}

	/**
	 * Whether the server ends the connection: it has ended its output, or closed it.
	 */
	boolean isLeft() {
		return this.channel.isOutputShutdown() || !this.channel.isActive();
	}

	int connectionsClosed() {
		return this.connectionsClosed;
	}

	/**
	 * A normal call works: the connection is alive.
	 */
	ScriptedPeer servesACall(int streamId) {
		headers(streamId, request("/t.Echo/Unary")).lastData(streamId, ABC).play();
		assertThat(stream(streamId).status()).as("status of the call that must still work").isZero();
		assertThat(stream(streamId).body.toByteArray()).isEqualTo(ABC);
		return this;
	}

	/**
	 * Breaks the connection, and checks that nothing is left of it.
	 */
	@Override
	public void close() {
		try {
			this.channel.breaks();
			settle();
			this.oracle.close();
			assertThat(this.connection.streams().isEmpty()).as("no stream is left").isTrue();
			assertThat(this.channel.allocatedBytes()).as("bytes of buffers that were not released").isZero();
			assertThat(this.telemetry.faults()).isEmpty();
			assertThat(this.connectionsClosed).as("times the owner was told of the end").isOne();
			assertThat(this.log.serverFaults()).as("faults of the server in the log").isEmpty();
		}
		finally {
			this.log.close();
		}
	}

	private final class Owner implements ConnectionOwner {

		@Override
		public void opened(Http2Connection connection) {
			ScriptedPeer.this.connection = connection;
		}

		@Override
		public void closed(Http2Connection connection) {
			ScriptedPeer.this.connectionsClosed++;
		}

	}

	/**
	 * What the connection is served by.
	 */
	static final class Server {

		private final ScriptedService service;

		private @Nullable HandlerRegistry fallback;

		private boolean offLoop;

		private ConnectionLimits limits = new ConnectionLimits(1000, 1024 * 1024, 8192);

		private int maxMessageSize = DEFAULT_MAX_MESSAGE_SIZE;

		private byte[] acceptEncoding = "gzip".getBytes(StandardCharsets.US_ASCII);

		private Server(ScriptedService service) {
			this.service = service;
		}

		/**
		 * Service code runs on the peer's executor.
		 */
		Server runsOffLoop() {
			this.offLoop = true;
			return this;
		}

		Server fallsBackOn(HandlerRegistry fallback) {
			this.fallback = fallback;
			return this;
		}

		Server limits(int maxConcurrentStreams, int flowControlWindow, int maxHeaderListSize) {
			this.limits = new ConnectionLimits(maxConcurrentStreams, flowControlWindow, maxHeaderListSize);
			return this;
		}

		Server maxMessageSize(int bytes) {
			this.maxMessageSize = bytes;
			return this;
		}

		Server acceptsNoEncoding() {
			this.acceptEncoding = new byte[0];
			return this;
		}

		/**
		 * A TCP connection, on which nothing was sent.
		 */
		ScriptedPeer accepted() {
			return new ScriptedPeer(this);
		}

		/**
		 * A connection whose settings are exchanged.
		 */
		ScriptedPeer connected(int... settings) {
			return accepted().connects(settings);
		}

	}

}
