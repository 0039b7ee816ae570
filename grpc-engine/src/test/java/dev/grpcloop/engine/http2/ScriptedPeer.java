package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.call.MethodRegistry;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client at the other end of one connection. The verbs of {@link FrameScript} add
 * frames to its script; {@link #play()} sends them in one piece, and everything the
 * server answers goes through the {@link WireOracle}.
 */
final class ScriptedPeer extends FrameScript<ScriptedPeer> implements AutoCloseable {

	/** A protobuf message with its prefix: a {@code BytesValue} of three bytes. */
	static final byte[] ABC = message(new byte[] { 0x0a, 3, 'a', 'b', 'c' });

	private static final int DEFAULT_MAX_MESSAGE_SIZE = 4 * 1024 * 1024;

	final SteppedLoop loop = new SteppedLoop();

	final SteppedExecutor executor = new SteppedExecutor(this.loop);

	final RecordedTelemetry telemetry = new RecordedTelemetry();

	final SteppedChannel channel = new SteppedChannel(this.loop, this::read);

	/** What the server said, if it is not expected to speak HTTP/2. */
	final ByteArrayOutputStream text = new ByteArrayOutputStream();

	private boolean readsText;

	/** How many faults of the server are to be in its log. */
	int expectedFaults;

	private final CapturedLog log = CapturedLog.ofEngine();

	private final LoopMemory memory;

	private Http2Connection connection;

	private int connectionsClosed;

	private final boolean offLoop;

	private final ScriptedService service;

	private ScriptedPeer(Server server) {
		this.service = server.service;
		this.offLoop = server.offLoop;
		this.memory = new LoopMemory(server.budget, this.loop);
		server.service.runsWhere(() -> this.loop.inEventLoop() != server.offLoop);
		MethodRegistry registry = new MethodRegistry(server.service.definitions(), List.of(), server.fallback,
				(method) -> !server.offLoop);
		CallEnvironment environment = new CallEnvironment(registry, server.offLoop ? this.executor : null, null,
				Context.ROOT, CompressorRegistry.getDefaultInstance(), DecompressorRegistry.getDefaultInstance(),
				server.maxMessageSize, 64 * 1024 * 1024, List.of(), this.telemetry.executor);
		CallLoop callLoop = new CallLoop(this.telemetry, registry, this.loop.clock());
		this.channel.open(new Http2ServerHandler(callLoop, this.memory, new ConnectionEnvironment(environment,
				server.policy(), server.acceptEncoding, List.of(), new Owner())));
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

	@Override
	ScriptedPeer self() {
		return this;
	}

	private void read(byte[] bytes) {
		if (this.readsText) {
			this.text.writeBytes(bytes);
		}
		else {
			this.oracle.read(bytes);
		}
	}

	/**
	 * What the server says is no HTTP/2.
	 */
	ScriptedPeer readsText() {
		this.readsText = true;
		return this;
	}

	boolean runsOffLoop() {
		return this.offLoop;
	}

	ScriptedService service() {
		return this.service;
	}

	Http2Connection connection() {
		return this.connection;
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
		return deliver(scriptLength());
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

	private ScriptedPeer deliver(int length) {
		byte[] bytes = takeScript();
		this.channel.receives(Arrays.copyOf(bytes, length));
		raw(Arrays.copyOfRange(bytes, length, bytes.length));
		if (this.channel.isSocketUnlimited() && length == bytes.length) {
			wasRead();
		}
		return this;
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
			assertThat(this.connection.memory().held()).as("bytes that were not given back").isZero();
			assertThat(this.telemetry.faults()).isEmpty();
			assertThat(this.connectionsClosed).as("times the owner was told of the end").isOne();
			assertThat(this.log.serverFaults()).as("faults of the server in the log").hasSize(this.expectedFaults);
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

		private ConnectionLife life = ConnectionLife.DEFAULT;

		private AbuseLimits abuse = AbuseLimits.DEFAULT;

		private int maxMessageSize = DEFAULT_MAX_MESSAGE_SIZE;

		private MemoryBudget budget = new MemoryBudget(1L << 30);

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

		Server life(ConnectionLife life) {
			this.life = life;
			return this;
		}

		Server abuse(AbuseLimits abuse) {
			this.abuse = abuse;
			return this;
		}

		private ConnectionPolicy policy() {
			return new ConnectionPolicy(this.limits, this.life, this.abuse);
		}

		Server maxMessageSize(int bytes) {
			this.maxMessageSize = bytes;
			return this;
		}

		/**
		 * What the connection holds is counted here.
		 */
		Server budget(MemoryBudget budget) {
			this.budget = budget;
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
