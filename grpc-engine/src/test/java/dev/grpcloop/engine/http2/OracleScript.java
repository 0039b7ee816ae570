package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * One random conversation with a server, told by its seed.
 */
final class OracleScript {

	private static final List<String> METHODS = List.of("/t.Echo/Unary", "/t.Raw/Unary", "/t.Echo/ServerStream",
			"/t.Raw/ServerStream", "/t.Raw/ClientStream", "/t.Echo/Bidi", "/t.Raw/Bidi", "/t.Raw/Bidi");

	private final long seed;

	private final RandomInput random;

	private final RandomService actions;

	private final ScriptedService service = new ScriptedService();

	private final ScriptedPeer peer;

	private final boolean offLoop;

	private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

	private final Map<Integer, ExpectedStream> streams = new LinkedHashMap<>();

	private int nextId = 1;

	private int step;

	OracleScript(long seed, boolean offLoop) {
		this.seed = seed;
		this.random = new RandomInput(seed);
		this.actions = new RandomService(this.random);
		this.offLoop = offLoop;
		ScriptedPeer.Server server = ScriptedPeer.of(this.service)
			.limits(1000, 128 * 1024, 8192)
			.life(Life.that().permits(0, true).build());
		if (offLoop) {
			server.runsOffLoop();
		}
		if (this.random.oneIn(4)) {
			server.acceptsNoEncoding();
		}
		this.service.behaves(new RandomBehaviour());
		this.peer = server.accepted();
	}

	void run(int steps) {
		try {
			if (this.random.oneIn(2)) {
				this.peer.connects(settings());
			}
			else {
				this.peer.preface().settings(settings()).settingsAck();
			}
			for (this.step = 0; this.step < steps; this.step++) {
				step();
				verify();
			}
			finish();
			this.peer.close();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError(
					"seed " + this.seed + ", step " + this.step + ", off loop " + this.offLoop + ": " + ex.getMessage(),
					ex);
		}
	}

	private void step() {
		switch (this.random.below(10)) {
			case 0, 1, 2, 3 -> {
				for (int frames = 1 + this.random.below(6); frames > 0; frames--) {
					addFrames();
				}
				this.peer.deliver();
			}
			case 4, 5, 6, 7 -> serviceActs();
			case 8 -> {
				if (this.random.oneIn(3)) {
					this.peer.channel.socketTakes(this.random.oneOf(0, 1, 100, 5000, 100_000));
				}
				else {
					this.peer.channel.socketTakes(Long.MAX_VALUE);
				}
			}
			default -> this.peer.settle();
		}
		while (!this.random.oneIn(3) && (this.peer.loop.hasTasks() || this.peer.executor.hasTasks())) {
			if (this.peer.loop.hasTasks() && this.random.oneIn(2)) {
				this.peer.loop.runOne();
			}
			else if (this.peer.executor.hasTasks()) {
				this.peer.executor.run(this.random.below(this.peer.executor.size()));
			}
		}
	}

	// the client

	private int[] settings() {
		int[] settings = new int[2 * this.random.below(5)];
		for (int i = 0; i < settings.length; i += 2) {
			settings[i] = this.random.oneOf(0x1, 0x1, 0x4, 0x5, 0x6);
			settings[i + 1] = switch (settings[i]) {
				case 0x1 -> this.random.oneOf(0, 1, 60, 100, 130, 160, 4096, 65536);
				case 0x4 -> this.random.oneOf(0, 1, 100, 1000, 20_000, 65535, 1 << 20);
				case 0x5 -> this.random.oneOf(16384, 16385, 20_000, 1 << 20, (1 << 24) - 1);
				default -> 1 << 20;
			};
		}
		return settings;
	}

	private void addFrames() {
		ExpectedStream open = this.streams.isEmpty() ? null : this.random.oneOf(new ArrayList<>(this.streams.values()));
		switch (this.random.below(12)) {
			case 0, 1, 2, 3 -> opens();
			case 4, 5 -> sends(open);
			case 6 -> halfCloses(open);
			case 7 -> resets(open);
			case 8 -> this.peer.settings(settings());
			case 9 -> {
				if (this.peer.oracle.outboundWindow() < 1 << 22) {
					this.peer.windowUpdate(0, this.random.oneOf(1, 100, 10_000, 100_000));
				}
			}
			case 10 -> {
				if (open != null && open.wire.outboundWindow < 1 << 22) {
					this.peer.windowUpdate(open.id, this.random.oneOf(1, 100, 10_000, 100_000));
				}
			}
			default -> this.peer.ping(this.random.random.nextLong());
		}
	}

	private void opens() {
		ExpectedStream stream = new ExpectedStream(this.nextId, this.random);
		Http2Headers headers = stream.choose(METHODS);
		Metadata metadata = this.random.metadata();
		if (metadata.toString().length() < 1000) {
			List<String> fields = RandomInput.fields(metadata);
			for (int i = 0; i < fields.size(); i += 2) {
				headers.add(fields.get(i), fields.get(i + 1));
			}
		}
		headers.add("x-stream", String.valueOf(this.nextId));
		boolean ends = this.random.oneIn(6);
		byte[] block = encode(headers);
		if (this.random.oneIn(10)) {
			this.peer.fragmentedHeaders(this.nextId, ends ? ScriptedPeer.END_STREAM : 0, block,
					this.random.below(block.length), 0);
		}
		else {
			this.peer.headers(this.nextId, ends ? ScriptedPeer.END_STREAM : 0, block);
		}
		stream.ended = ends;
		stream.wire = this.peer.stream(this.nextId);
		this.streams.put(this.nextId, stream);
		this.nextId += 2;
		if (!ends && this.random.oneIn(2)) {
			sends(stream);
			if (this.random.oneIn(2)) {
				halfCloses(stream);
			}
		}
	}

	private byte[] encode(Http2Headers headers) {
		ByteBuf out = Unpooled.wrappedBuffer(new byte[8192]).clear();
		try {
			this.encoder.encodeHeaders(this.nextId, headers, out);
			return ByteBufUtil.getBytes(out);
		}
		catch (Http2Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void sends(ExpectedStream stream) {
		if (stream == null || stream.ended) {
			return;
		}
		byte[] bytes = stream.nextBytes();
		long window = Math.min(this.peer.oracle.inboundWindow(), stream.wire.inboundWindow);
		int padding = this.random.oneIn(5) ? this.random.below(256) : -1;
		int length = (int) Math.min(bytes.length, Math.min(window - 300, 16_000));
		if (length <= 0) {
			stream.returnBytes(bytes);
			return;
		}
		if (length < bytes.length) {
			stream.returnBytes(Arrays.copyOfRange(bytes, length, bytes.length));
		}
		byte[] piece = Arrays.copyOf(bytes, length);
		if (padding >= 0) {
			this.peer.paddedData(stream.id, 0, piece, padding);
		}
		else {
			this.peer.data(stream.id, piece);
		}
	}

	private void halfCloses(ExpectedStream stream) {
		if (stream == null || stream.ended) {
			return;
		}
		stream.halfCloses();
		if (this.random.oneIn(3)) {
			this.peer.headers(stream.id, ScriptedPeer.END_STREAM, encode(new DefaultHttp2Headers().add("x-end", "1")));
		}
		else {
			this.peer.lastData(stream.id);
		}
	}

	private void resets(ExpectedStream stream) {
		if (stream != null && !stream.reset && this.random.oneIn(2)) {
			stream.reset = true;
			stream.ended = true;
			this.peer.reset(stream.id, this.random.oneOf(0, 8, 2));
		}
	}

	// the service

	private void serviceActs() {
		if (this.service.calls.isEmpty()) {
			return;
		}
		ServedCall call = this.random.oneOf(this.service.calls);
		Runnable step = () -> this.actions.act(call, false);
		if (this.offLoop) {
			this.peer.loop.leave(step);
		}
		else {
			this.peer.loop.enter(step);
		}
	}

	private final class RandomBehaviour implements Behaviour {

		@Override
		public void started(ServedCall call) {
			ExpectedStream stream = OracleScript.this.streams
				.get(Integer.valueOf(call.metadata.get(Metadata.Key.of("x-stream", Metadata.ASCII_STRING_MARSHALLER))));
			stream.call = call;
			if (!OracleScript.this.random.oneIn(4)) {
				call.request(OracleScript.this.random.oneOf(1, 3, Integer.MAX_VALUE));
			}
			actSometimes(call);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			if (OracleScript.this.random.oneIn(2)) {
				call.request(1);
			}
			actSometimes(call);
		}

		@Override
		public void halfClosed(ServedCall call) {
			actSometimes(call);
			if (OracleScript.this.random.oneIn(2) && !call.isDone()) {
				OracleScript.this.actions.close(call);
			}
		}

		@Override
		public void ready(ServedCall call) {
			actSometimes(call);
		}

		private void actSometimes(ServedCall call) {
			while (OracleScript.this.random.oneIn(2)) {
				OracleScript.this.actions.act(call, true);
			}
		}

	}

	// the end

	private void verify() {
		this.peer.channel.verify();
		this.service.verify();
		this.streams.values().forEach(ExpectedStream::verify);
	}

	/**
	 * Opens all windows, ends all that is still open, and looks at the whole.
	 */
	private void finish() {
		this.peer.channel.socketTakes(Long.MAX_VALUE);
		this.peer.settings(0x4, 1 << 24).windowUpdate(0, 1 << 28).play();
		this.peer.settle();
		// a stalled service may have closed in a callback by now
		for (ServedCall call : new ArrayList<>(this.service.calls)) {
			Runnable close = () -> {
				if (!call.isDone()) {
					this.actions.close(call);
				}
			};
			if (this.offLoop) {
				this.peer.loop.leave(close);
			}
			else {
				this.peer.loop.enter(close);
			}
		}
		this.peer.settle();
		for (ExpectedStream stream : this.streams.values()) {
			if (!stream.ended) {
				halfCloses(stream);
			}
		}
		this.peer.play();
		verify();
		this.streams.values().forEach(ExpectedStream::verifyEnd);
		if (!this.peer.connection().streams().isEmpty()) {
			throw new AssertionError("streams are left: " + this.peer.connection().streams().keySet());
		}
		if (this.peer.oracle.settingsPending() > 0) {
			throw new AssertionError("settings were not acknowledged");
		}
		if (!this.peer.oracle.isBetweenFrames()) {
			throw new AssertionError("the last frame is not whole");
		}
		if (this.peer.connection().frames().hasUnflushed()) {
			throw new AssertionError("bytes were not flushed");
		}
	}

}
