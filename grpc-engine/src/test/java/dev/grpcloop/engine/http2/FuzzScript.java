package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Metadata;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * One conversation that is good, nearly good or no conversation at all, told by its seed,
 * and cut into reads at any byte. Between the reads the loop, the executor, the services,
 * the clock and the socket do something or nothing.
 * <p>
 * Whatever the client sends: no exception gets out, no buffer and no stream is left, all
 * that the server writes keeps the rules, calls end once, the server does not hold much
 * nor write much more than it was sent. A connection that goes on serves a normal call,
 * and its windows are whole.
 */
final class FuzzScript {

	/**
	 * What the server may write for each byte that it reads, beside what services send.
	 */
	private static final int AMPLIFICATION = 40;

	/** The settings of the server and the like. */
	private static final int GREETING = 200;

	/**
	 * What the server may hold for each byte that it reads: messages grow in large steps.
	 */
	private static final int MEMORY = 10;

	/** One buffer of which the socket has taken all but a little, and the like. */
	private static final int MAX_UNCOUNTED = 192 * 1024;

	private static final int INTERNAL_ERROR = 2;

	private static final int CANCEL = 8;

	private static final int ENHANCE_YOUR_CALM = 11;

	private static final int WINDOW = 128 * 1024;

	/** Budgets that a conversation of some frames may use up. */
	private static final AbuseLimits IMPATIENT = new AbuseLimits(TimeUnit.SECONDS.toNanos(30), 5, 5, 10, 30, 3, 10, 4);

	/** Times that pass in a conversation. */
	private static final ConnectionLife SHORT_LIFE = new ConnectionLife(seconds(10), seconds(2), seconds(5), seconds(6),
			seconds(2), seconds(3), false, seconds(12), seconds(20), seconds(4));

	private final long seed;

	private final Kind kind;

	private final boolean offLoop;

	private final RandomInput random;

	private final RandomService actions;

	private final ScriptedService service = new ScriptedService();

	private final ScriptedPeer peer;

	private final SentBytes sent;

	private int bytesSent;

	private int millisPassed;

	/** The client still understands what it sends itself. */
	private boolean probed;

	FuzzScript(long seed, Kind kind, boolean offLoop) {
		this.seed = seed;
		this.kind = kind;
		this.offLoop = offLoop;
		this.random = new RandomInput(seed);
		this.actions = new RandomService(this.random);
		this.service.behaves((call) -> behaviour());
		ScriptedPeer.Server server = ScriptedPeer.of(this.service).limits(this.random.oneOf(3, 1000), WINDOW, 8192);
		if (offLoop) {
			server.runsOffLoop();
		}
		if (this.random.oneIn(4)) {
			server.maxMessageSize(1000);
		}
		if (!kind.keepsConnection() && this.random.oneIn(3)) {
			server.abuse(IMPATIENT);
		}
		if (!kind.keepsConnection() && this.random.oneIn(3)) {
			server.life(SHORT_LIFE);
		}
		this.peer = server.accepted();
		this.sent = new SentBytes(this.peer.oracle);
		if (kind != Kind.GOOD) {
			this.peer.oracle.expectsHostility();
		}
	}

	/**
	 * Whether a normal call was served after the conversation.
	 */
	boolean run() {
		try {
			send(conversation());
			verify();
			finish();
			this.peer.close();
			verifyEnd();
			return this.probed;
		}
		catch (AssertionError | RuntimeException ex) {
			List<String> frames = this.sent.frames();
			throw new AssertionError(this + ": " + ex.getMessage() + "\nthe client sent\n  "
					+ String.join("\n  ", frames) + "\nthe server sent\n  "
					+ String.join("\n  ", this.peer.oracle.frames()) + "\nthe calls were " + this.service.calls, ex);
		}
	}

	private Behaviour behaviour() {
		return switch (this.random.below(5)) {
			case 0 -> Behaviour.SILENT;
			case 1 -> Behaviour.SINK;
			case 2 -> Behaviour.ECHO;
			default -> new RandomBehaviour();
		};
	}

	// the client

	private byte[] conversation() {
		if (this.kind == Kind.RANDOM_BYTES) {
			return RawHpack.concat(preface(), new ClientFrame(Http2FrameTypes.SETTINGS, 0, 0).bytes(), randomBytes());
		}
		List<ClientFrame> frames = new RandomConversation(this.random).frames();
		FrameMutator mutator = new FrameMutator(this.random);
		switch (this.kind) {
			case SPOILT_CALLS -> mutator.spoilCalls(frames);
			case SPOILT_FRAMES -> mutator.spoil(frames);
			default -> {
				// is left as it is
			}
		}
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(preface());
		frames.forEach((frame) -> out.writeBytes(frame.bytes()));
		byte[] bytes = out.toByteArray();
		return (this.kind == Kind.SPOILT_BYTES) ? mutator.spoil(bytes) : bytes;
	}

	private static byte[] preface() {
		return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Bytes without any sense, but for headers of frames that are not too long.
	 */
	private byte[] randomBytes() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		boolean framed = !this.random.oneIn(4);
		for (int count = 1 + this.random.below(this.random.oneOf(1, 3, 20)); count > 0; count--) {
			int type = this.random.below(14);
			int length = switch (type) {
				case Http2FrameTypes.RST_STREAM, Http2FrameTypes.WINDOW_UPDATE -> 4;
				case Http2FrameTypes.PRIORITY -> 5;
				case Http2FrameTypes.PING, Http2FrameTypes.GO_AWAY -> 8;
				default -> this.random.below(this.random.oneIn(10) ? 3000 : 60);
			};
			byte[] bytes = new byte[length];
			this.random.random.nextBytes(bytes);
			out.writeBytes(framed
					? new ClientFrame(type, this.random.below(256), this.random.oneOf(0, 0, 0, 1, 3, -1), bytes).bytes()
					: bytes);
		}
		return out.toByteArray();
	}

	private void send(byte[] bytes) {
		int pieces = this.random.oneOf(bytes.length / 1000 + 1, 100, 1000, 20_000, 100_000);
		int offset = 0;
		while (offset < bytes.length) {
			int length = Math.min(bytes.length - offset, 1 + this.random.below(pieces));
			receive(Arrays.copyOfRange(bytes, offset, offset + length));
			offset += length;
			while (this.random.oneIn(2)) {
				somethingElse();
			}
		}
	}

	private void receive(byte[] bytes) {
		this.bytesSent += bytes.length;
		this.sent.add(bytes);
		this.peer.raw(bytes).deliver();
		verify();
	}

	// the others

	private void somethingElse() {
		switch (this.random.below(13)) {
			case 0, 1, 2 -> {
				if (this.peer.loop.hasTasks()) {
					this.peer.loop.runOne();
				}
			}
			case 3, 4, 5 -> {
				if (this.peer.executor.hasTasks()) {
					this.peer.executor.run(this.random.below(this.peer.executor.size()));
				}
			}
			case 6, 7 -> serviceActs((call) -> this.actions.act(call, false));
			case 8 -> {
				int millis = this.random.oneIn(10) ? 61_000 : this.random.oneOf(0, 1, 100, 2500);
				// a good client is not so slow that it is cut off
				if (!this.kind.keepsConnection() || this.millisPassed + millis < 15_000) {
					this.millisPassed += millis;
					this.peer.loop.advance(millis, TimeUnit.MILLISECONDS);
				}
			}
			case 9 -> {
				if (!this.kind.keepsConnection() && this.random.oneIn(50)) {
					this.peer.connection().shutdown();
				}
			}
			case 10 -> this.peer.channel
				.socketTakes(this.random.oneIn(2) ? Long.MAX_VALUE : this.random.oneOf(0, 1, 100, 5000, 100_000));
			default -> this.peer.settle();
		}
		verify();
	}

	private void serviceActs(Consumer<ServedCall> act) {
		if (this.service.calls.isEmpty()) {
			return;
		}
		ServedCall call = this.random.oneOf(this.service.calls);
		as(() -> act.accept(call));
	}

	private void as(Runnable step) {
		if (this.offLoop) {
			this.peer.loop.leave(step);
		}
		else {
			this.peer.loop.enter(step);
		}
	}

	/**
	 * Does at random what a service may do.
	 */
	private final class RandomBehaviour implements Behaviour {

		@Override
		public void started(ServedCall call) {
			if (!FuzzScript.this.random.oneIn(4)) {
				call.request(FuzzScript.this.random.oneOf(1, 3, Integer.MAX_VALUE));
			}
			actSometimes(call);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			if (FuzzScript.this.random.oneIn(2)) {
				call.request(1);
			}
			actSometimes(call);
		}

		@Override
		public void halfClosed(ServedCall call) {
			actSometimes(call);
			if (FuzzScript.this.random.oneIn(2) && !call.isDone()) {
				FuzzScript.this.actions.close(call);
			}
		}

		@Override
		public void ready(ServedCall call) {
			actSometimes(call);
		}

		private void actSometimes(ServedCall call) {
			while (FuzzScript.this.random.oneIn(3)) {
				FuzzScript.this.actions.act(call, true);
			}
		}

	}

	// what must hold

	private void verify() {
		this.peer.channel.verify();
		this.service.verify();
		long counted = this.peer.connection().memory().held();
		check(this.peer.channel.allocatedBytes() <= MAX_UNCOUNTED + 2 * counted,
				"bytes of buffers are held while " + counted + " are counted", this.peer.channel.allocatedBytes());
		check(counted <= this.peer.channel.bytesThatWait() + (long) MEMORY * this.bytesSent + sentByServices()
				+ MAX_UNCOUNTED, "bytes are counted for a client that sent " + this.bytesSent, counted);
		long forNothing = this.peer.oracle.bytesRead() - (long) AMPLIFICATION * this.bytesSent - GREETING;
		check(forNothing <= 0 || forNothing <= sentByServices(),
				"the server wrote too much for " + this.bytesSent + " bytes", this.peer.oracle.bytesRead());
		for (WireOracle.GoAway goAway : this.peer.oracle.goAways()) {
			check(goAway.errorCode() != INTERNAL_ERROR, "GOAWAY with INTERNAL_ERROR", goAway.lastStreamId());
		}
	}

	/**
	 * What services have sent, as large as it may be on the wire.
	 */
	private long sentByServices() {
		long bytes = 0;
		for (ServedCall call : this.service.calls) {
			String description = (call.closed != null) ? call.closed.getDescription() : null;
			bytes += 1000 + 2L * call.sent.size() + size(call.trailers)
					+ ((call.sentHeaders != null) ? size(call.sentHeaders) : 0)
					+ ((description != null) ? 12L * description.length() : 0);
		}
		return bytes;
	}

	private static long size(Metadata metadata) {
		return RandomInput.fields(metadata).stream().mapToLong((field) -> field.length() + 32L).sum();
	}

	private static void check(boolean condition, String fault, long value) {
		if (!condition) {
			throw new AssertionError(fault + ": " + value);
		}
	}

	/**
	 * Ends what was begun, and looks whether the connection is as good as new.
	 */
	private void finish() {
		this.peer.channel.socketTakes(Long.MAX_VALUE);
		this.peer.settle();
		if (!this.kind.keepsConnection()) {
			receive(this.sent.completion());
		}
		receive(this.sent.blockEnd());
		this.peer.settle();
		if (!this.peer.isLeft() && !this.peer.oracle.goAways().isEmpty()) {
			drain();
		}
		if (this.peer.isLeft()) {
			check(!this.kind.keepsConnection(), "a client was cut off that keeps the rules", 0);
			waits();
			check(!this.peer.isConnected(), "the connection is left, and still there", 0);
			return;
		}
		probe();
	}

	/**
	 * The server has said that it will go: it goes as soon as its calls have ended and it
	 * has its PING back, or its patience ends.
	 */
	private void drain() {
		if (this.random.oneIn(2)) {
			for (Long ping : this.peer.oracle.pings()) {
				receive(new ClientFrame(Http2FrameTypes.PING, FrameScript.ACK, 0,
						ByteBuffer.allocate(8).putLong(ping).array())
					.bytes());
			}
		}
		this.peer.settle();
		if (!this.peer.isLeft()) {
			resetStreams();
			waits();
		}
		check(this.peer.isLeft(), "the server does not go", this.peer.connection().streams().size());
	}

	/**
	 * Lets more time pass than any end of a connection takes whose peer is silent.
	 */
	private void waits() {
		for (int i = 0; i < 20; i++) {
			this.peer.loop.advance(1, TimeUnit.SECONDS);
			this.peer.settle();
		}
	}

	private void resetStreams() {
		for (Integer id : this.peer.connection().streams().keySet().toArray(new Integer[0])) {
			receive(new ClientFrame(Http2FrameTypes.RST_STREAM, 0, id, int32(CANCEL)).bytes());
		}
		this.peer.settle();
	}

	private void probe() {
		if (this.peer.connection().lastStreamId() > Integer.MAX_VALUE - 10 || !isGreeted()) {
			return;
		}
		resetStreams();
		if (this.peer.isLeft()) {
			check(!this.kind.keepsConnection(), "a client was cut off that keeps the rules", 1);
			return;
		}
		check(this.peer.connection().streams().isEmpty(), "streams are left", this.peer.connection().streams().size());
		InboundFlow flow = this.peer.connection().inboundFlow();
		check(flow.unconsumed() == 0, "bytes are held", flow.unconsumed());
		check(flow.creditWithPending() == WINDOW, "the connection's window", flow.creditWithPending());
		check(this.peer.oracle.inboundWindow() <= WINDOW && this.peer.oracle.inboundWindow() > WINDOW / 2 - 1,
				"the connection's window as the client knows it", this.peer.oracle.inboundWindow());
		check(this.peer.connection().outboundFlow().connectionWindow() == this.peer.oracle.outboundWindow(),
				"what the server may send is not " + this.peer.oracle.outboundWindow(),
				this.peer.connection().outboundFlow().connectionWindow());
		check(this.peer.oracle.settingsPending() == 0, "settings were not acknowledged",
				this.peer.oracle.settingsPending());
		check(!this.peer.connection().frames().hasUnflushed(), "bytes were not flushed", 0);
		this.service.behaves(Behaviour.ECHO);
		if (this.peer.oracle.outboundWindow() < 1 << 20) {
			receive(new ClientFrame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, int32(1 << 20)).bytes());
		}
		receive(new ClientFrame(Http2FrameTypes.SETTINGS, 0, 0,
				ByteBuffer.allocate(6).putShort((short) 0x4).putInt(65535).array())
			.bytes());
		int id = (this.peer.connection().lastStreamId() + 1) | 1;
		receive(new ClientFrame(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS, id,
				RawHpack.block(ScriptedPeer.request("/t.Echo/Unary")))
			.bytes());
		receive(new ClientFrame(Http2FrameTypes.DATA, FrameScript.END_STREAM, id, ScriptedPeer.ABC).bytes());
		this.peer.settle();
		WireStream stream = this.peer.stream(id);
		check(stream.status() == 0, "the status of a normal call", stream.status());
		check(Arrays.equals(stream.body.toByteArray(), ScriptedPeer.ABC), "the answer to a normal call",
				stream.body.size());
		this.probed = true;
	}

	/**
	 * Whether the client has sent its preface and its first settings.
	 */
	private boolean isGreeted() {
		return this.peer.oracle.settingsAcks() > 0;
	}

	private void verifyEnd() {
		verify();
		verifyGuards();
		for (ServedCall call : new ArrayList<>(this.service.calls)) {
			if (call.isEnded() != call.hasListener) {
				throw new AssertionError(
						"the call " + (call.hasListener ? "was not told of its end" : "never began") + ": " + call);
			}
		}
	}

	/**
	 * A guard that ends the connection trips once, and says so; others leave it alone.
	 */
	private void verifyGuards() {
		List<Guard> guards = new ArrayList<>(this.peer.telemetry.guards);
		guards.removeIf((guard) -> guard == Guard.MEMORY);
		check(guards.size() <= 1, "guards that tripped, " + guards, guards.size());
		check(!this.kind.keepsConnection() || guards.isEmpty(), "a client tripped a guard that keeps the rules",
				guards.size());
		check(!guards.isEmpty()
				|| this.peer.oracle.goAways().stream().noneMatch((goAway) -> goAway.errorCode() == ENHANCE_YOUR_CALM),
				"ENHANCE_YOUR_CALM without a guard", 0);
	}

	private static long seconds(int seconds) {
		return TimeUnit.SECONDS.toNanos(seconds);
	}

	private static byte[] int32(int value) {
		return ByteBuffer.allocate(4).putInt(value).array();
	}

	@Override
	public String toString() {
		return "seed " + this.seed + ", " + this.kind + ", off loop " + this.offLoop;
	}

	/**
	 * What the client is like.
	 */
	enum Kind {

		/** It keeps all rules. */
		GOOD,

		/** It breaks rules of single calls. */
		SPOILT_CALLS,

		/** Frames are spoilt, left out, sent twice or in another order. */
		SPOILT_FRAMES,

		/** Bytes are spoilt, wherever frames begin and end. */
		SPOILT_BYTES,

		/** Nothing makes sense after the preface and the settings. */
		RANDOM_BYTES;

		/**
		 * Whether nothing that it does is a fault of the connection.
		 */
		boolean keepsConnection() {
			return this == GOOD || this == SPOILT_CALLS;
		}

	}

}
