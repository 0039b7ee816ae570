package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;

/**
 * One random interleaving of the event loop, an executor's threads and threads of the
 * service's own, told by its seed. One thread plays them all: whenever the engine calls
 * out, be it to a service, a marshaller, an executor or its telemetry, another thread may
 * do something before it returns.
 */
final class SteppedScript {

	private static final List<String> METHODS = List.of("/t.Echo/Unary", "/t.Raw/Unary", "/t.Raw/ServerStream",
			"/t.Raw/ClientStream", "/t.Echo/Bidi", "/t.Raw/Bidi", "/t.Raw/Bidi", "/t.Nope/Unary");

	private static final int MAX_DEPTH = 4;

	private static final Metadata.Key<String> STREAM = Metadata.Key.of("x-stream", Metadata.ASCII_STRING_MARSHALLER);

	private final long seed;

	private final Place place;

	private final RandomInput random;

	private final RandomService actions;

	private final ScriptedService service = new ScriptedService();

	private final ScriptedPeer peer;

	private final Set<Integer> open = new LinkedHashSet<>();

	private int nextId = 1;

	private int depth;

	private int step;

	private boolean shutdown;

	/** The connection ended in the midst of its calls. */
	private boolean lost;

	SteppedScript(long seed, Place place) {
		this.seed = seed;
		this.place = place;
		this.random = new RandomInput(seed);
		this.actions = new RandomService(this.random);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service.behaves(new RandomBehaviour()))
			.limits(1000, 65535, 8192);
		this.peer = ((place != Place.LOOP) ? server.runsOffLoop() : server).connected(0x4,
				this.random.oneOf(0, 100, 20_000, 1 << 20));
		if (place == Place.DIRECT_EXECUTOR) {
			this.peer.executor.runsDirectly();
			this.service.runsWhere(() -> true);
		}
		this.service.interruptedBy(this::interrupt);
		this.peer.telemetry.interruptedBy(this::interrupt);
		this.peer.executor.interruptedBy(this::interrupt);
	}

	void run(int steps) {
		try {
			for (this.step = 0; this.step < steps; this.step++) {
				if (this.random.oneIn(2)) {
					loopStep();
				}
				else {
					otherThreadStep();
				}
				verifyStep();
			}
			end();
			verifyEnd();
			this.peer.close();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError(
					"seed " + this.seed + ", step " + this.step + ", " + this.place + ": " + ex.getMessage(), ex);
		}
	}

	// the threads

	private void interrupt() {
		if (this.depth >= MAX_DEPTH || Thread.currentThread() != this.peer.loop.thread() || !this.random.oneIn(4)) {
			return;
		}
		this.depth++;
		try {
			if (!this.peer.loop.isRunning() && this.random.oneIn(2)) {
				loopStep();
			}
			else {
				otherThreadStep();
			}
		}
		finally {
			this.depth--;
		}
	}

	private void loopStep() {
		switch (this.random.below(8)) {
			case 0, 1, 2 -> {
				for (int frames = 1 + this.random.below(4); frames > 0; frames--) {
					addFrame();
				}
				this.peer.deliver();
			}
			case 3 -> this.peer.channel
				.socketTakes(this.random.oneIn(2) ? Long.MAX_VALUE : this.random.oneOf(0, 1, 1000, 100_000));
			case 4 -> this.peer.loop.advance(this.random.oneOf(1, 100, 5000), TimeUnit.MILLISECONDS);
			default -> {
				if (this.peer.loop.hasTasks()) {
					this.peer.loop.runOne();
				}
			}
		}
	}

	private void otherThreadStep() {
		this.peer.loop.leave(() -> {
			switch (this.random.below(10)) {
				case 0, 1, 2, 3 -> {
					if (this.peer.executor.hasTasks()) {
						this.peer.executor.run(this.random.below(this.peer.executor.size()));
					}
				}
				case 4 -> {
					if (!this.service.calls.isEmpty()) {
						// any thread may ask at any time
						ServedCall call = this.random.oneOf(this.service.calls);
						this.actions.request(call);
						call.call.isReady();
						call.call.isCancelled();
					}
				}
				case 5 -> this.peer.executor.rejects(this.random.oneIn(3));
				case 6 -> {
					if (this.random.oneIn(60)) {
						this.shutdown = true;
						this.peer.connection().shutdown();
					}
				}
				default -> useOutside();
			}
		});
	}

	private void useOutside() {
		if (this.service.calls.isEmpty()) {
			return;
		}
		ServedCall call = this.random.oneOf(this.service.calls);
		if (!call.isBusy()) {
			call.useOutside(() -> this.actions.act(call, false));
		}
	}

	// the client

	private void addFrame() {
		int id = this.open.isEmpty() ? 0 : this.random.oneOf(new ArrayList<>(this.open));
		switch (this.random.below(12)) {
			case 0, 1, 2 -> opens();
			case 3, 4, 5 -> sends(id);
			case 6 -> {
				if (this.open.remove(id)) {
					this.peer.lastData(id);
				}
			}
			case 7 -> {
				if (this.random.oneIn(3) && this.open.remove(id)) {
					this.peer.reset(id, 8);
				}
			}
			case 8 -> this.peer.settings(0x4, this.random.oneOf(0, 100, 20_000, 1 << 20));
			case 9 -> {
				if (this.peer.oracle.outboundWindow() < 1 << 24) {
					this.peer.windowUpdate(0, 50_000);
				}
			}
			case 10 -> {
				if (id > 0 && this.peer.stream(id).outboundWindow < 1 << 24) {
					this.peer.windowUpdate(id, this.random.oneOf(1, 1000, 50_000));
				}
			}
			default -> this.peer.oracle.pings().forEach(this.peer::pingAck);
		}
	}

	private void opens() {
		int id = this.nextId;
		this.nextId += 2;
		String path = this.random.oneOf(METHODS);
		boolean whole = this.random.oneIn(3);
		this.peer.headers(id, ScriptedPeer.request(path, "x-stream", String.valueOf(id)));
		this.open.add(id);
		if (whole) {
			sends(id);
			this.open.remove(id);
			this.peer.lastData(id);
		}
	}

	private void sends(int id) {
		if (id == 0) {
			return;
		}
		byte[] message = this.random.oneIn(3) ? ScriptedPeer.ABC
				: ScriptedPeer.message(new byte[this.random.below(this.random.oneIn(5) ? 16_000 : 100)]);
		long credit = Math.min(this.peer.oracle.inboundWindow(), this.peer.stream(id).inboundWindow);
		if (message.length <= credit && message.length <= 16_384) {
			this.peer.data(id, message);
		}
	}

	/**
	 * Acts in callbacks, unless another thread uses the call.
	 */
	private final class RandomBehaviour implements Behaviour {

		@Override
		public void started(ServedCall call) {
			if (SteppedScript.this.random.oneIn(2)) {
				SteppedScript.this.actions.request(call);
			}
			act(call);
		}

		@Override
		public void message(ServedCall call, byte[] message) {
			SteppedScript.this.actions.request(call);
			act(call);
		}

		@Override
		public void halfClosed(ServedCall call) {
			act(call);
			if (!call.isDone() && !call.isUsedOutside() && SteppedScript.this.random.oneIn(2)) {
				SteppedScript.this.actions.close(call);
			}
		}

		@Override
		public void ready(ServedCall call) {
			act(call);
		}

		private void act(ServedCall call) {
			if (!call.isUsedOutside() && SteppedScript.this.random.oneIn(2)) {
				SteppedScript.this.actions.act(call, true);
			}
		}

	}

	// what must hold

	private void verifyStep() {
		awaitRejected();
		this.peer.channel.verify();
		this.service.verify();
		if (!this.peer.loop.hasTasks() && this.peer.connection().frames().hasUnflushed()) {
			throw new AssertionError("bytes wait for a flush that nobody will do");
		}
	}

	/**
	 * Tasks that the executor refuses are run by the common pool, if they must be run at
	 * all.
	 */
	private void awaitRejected() {
		if (!ForkJoinPool.commonPool().awaitQuiescence(10, TimeUnit.SECONDS)) {
			throw new AssertionError("the common pool does not come to rest");
		}
	}

	/**
	 * Ends the connection in one way or another.
	 */
	private void end() {
		int way = this.random.below(5);
		this.lost = way < 3 || this.peer.isLeft();
		switch (way) {
			case 0 -> this.peer.channel.breaks();
			case 1 -> this.peer.loop.leave(this.peer.connection()::shutdownNow);
			case 2 -> this.peer.illegalWindowUpdate(0, 0).deliver();
			default -> {
				// all calls come to their end first
			}
		}
		this.peer.executor.rejects(false);
		this.peer.channel.socketTakes(Long.MAX_VALUE);
		closeCalls();
		// the same in peace, for what the interruptions have begun
		this.depth = MAX_DEPTH;
		this.peer.executor.rejects(false);
		this.peer.channel.socketTakes(Long.MAX_VALUE);
		this.peer.settings(0x4, 1 << 24).windowUpdate(0, 1 << 28).play();
		awaitRejected();
		closeCalls();
		this.open.forEach(this.peer::lastData);
		this.peer.play();
		awaitRejected();
		this.peer.settle();
	}

	private void closeCalls() {
		this.peer.settle();
		awaitRejected();
		for (ServedCall call : new ArrayList<>(this.service.calls)) {
			this.peer.loop.leave(() -> {
				if (!call.isDone() && !call.isBusy()) {
					call.useOutside(() -> this.actions.close(call));
				}
			});
		}
		this.peer.settle();
		awaitRejected();
	}

	/**
	 * What the service was told is what its client received, unless the client or the
	 * connection was gone by then.
	 */
	private void verifyBothSides(ServedCall call) {
		WireStream stream = this.peer.stream(Integer.parseInt(call.metadata.get(STREAM)));
		if (stream.resetByClient || this.lost) {
			return;
		}
		boolean received = call.closed != null && (!stream.isReset() || stream.resetAfterEnd)
				&& stream.status() == call.closed.getCode().value();
		if (call.completed && !received) {
			throw new AssertionError("the service was told that its status went out, and the client has "
					+ stream.trailers + stream.headers + ", reset " + stream.resetCode + ": " + call);
		}
		if (call.completed && stream.body.size() != call.sent.size()) {
			throw new AssertionError("the client has " + stream.body.size() + " bytes of a response of "
					+ call.sent.size() + ": " + call);
		}
	}

	private void verifyEnd() {
		verifyStep();
		for (ServedCall call : this.service.calls) {
			if (call.isEnded() != call.hasListener) {
				throw new AssertionError(
						"the call " + (call.hasListener ? "was not told of its end" : "never began") + ": " + call);
			}
			verifyBothSides(call);
		}
		if (!this.peer.connection().streams().isEmpty()) {
			throw new AssertionError("streams are stuck: " + this.peer.connection().streams().keySet());
		}
		if (this.peer.connection().inboundFlow().unconsumed() != 0) {
			throw new AssertionError("bytes are held that nobody will take");
		}
		if (this.shutdown) {
			this.peer.loop.advance(10, TimeUnit.SECONDS);
			this.peer.settle();
			if (!this.peer.isLeft()) {
				throw new AssertionError("the connection was shut down and is still there");
			}
		}
	}

	/**
	 * Where service code runs.
	 */
	enum Place {

		/** On the event loop. */
		LOOP,

		/** On an executor's threads. */
		EXECUTOR,

		/** On an executor that is none: in the thread that calls it. */
		DIRECT_EXECUTOR

	}

}
