package dev.grpcloop.engine.http2;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.function.LongSupplier;

import dev.grpcloop.engine.telemetry.LoopTelemetry;

/**
 * The credit that the peer has given the server (RFC 9113 section 6.9), and the streams
 * that have bytes to send and wait their turn: one frame each, round and round.
 * <p>
 * A frame has no more than {@link #MAX_FRAME} bytes, and a connection writes no more than
 * {@link #TURN} in one batch before the others of its loop have theirs, however fast its
 * peer reads.
 * <p>
 * Owned by the event loop.
 */
final class OutboundFlow {

	/** The longest DATA frame, whatever the peer would accept. */
	static final int MAX_FRAME = 32 * 1024;

	/** What a connection writes before others of its loop come. */
	static final int TURN = 256 * 1024;

	/** Entries of streams that have ended, which are not worth to be looked for. */
	private static final int MOST_LEFT_BEHIND = 16;

	private final LoopTelemetry telemetry;

	private final LongSupplier clock;

	private final Runnable turnOver;

	/** The line, and streams that have ended while they stood in it. */
	private final ArrayDeque<OutboundStream> waiting = new ArrayDeque<>(4);

	/** How many streams stand in the line. */
	private int inLine;

	/** Streams stand in the line, and the connection has no credit. */
	private final Stall stall;

	private int connectionWindow = InboundFlow.DEFAULT_WINDOW;

	private int initialWindow = InboundFlow.DEFAULT_WINDOW;

	/** Other threads ask too. */
	private volatile boolean writable = true;

	private boolean channelWritable = true;

	/** The memory is scarce, and what was written has to leave first. */
	private boolean paused;

	private boolean draining;

	/** What may be written before others come. */
	private int turn = TURN;

	/**
	 * Creates the state of a connection.
	 * @param telemetry hears of the times without credit
	 * @param clock tells the time as {@link System#nanoTime()} does
	 * @param turnOver runs when the turn is over and streams still wait
	 */
	OutboundFlow(LoopTelemetry telemetry, LongSupplier clock, Runnable turnOver) {
		this.telemetry = telemetry;
		this.clock = clock;
		this.turnOver = turnOver;
		this.stall = new Stall(telemetry, clock);
	}

	void newTurn() {
		this.turn = TURN;
	}

	int connectionWindow() {
		return this.connectionWindow;
	}

	int initialWindow() {
		return this.initialWindow;
	}

	/**
	 * Whether the channel takes more bytes. Any thread.
	 */
	boolean isWritable() {
		return this.writable;
	}

	void writable(boolean writable) {
		this.channelWritable = writable;
		this.writable = writable && !this.paused;
	}

	boolean isPaused() {
		return this.paused;
	}

	void paused(boolean paused) {
		this.paused = paused;
		this.writable = this.channelWritable && !paused;
	}

	/**
	 * Whether a frame can be written at once.
	 */
	boolean allows(int bytes, int streamWindow) {
		return this.writable && this.turn > 0 && bytes <= this.connectionWindow && bytes <= streamWindow;
	}

	void spend(int bytes) {
		this.turn -= bytes;
		this.connectionWindow -= bytes;
	}

	/**
	 * The peer opened the connection window.
	 * @return {@code false} if it has become larger than 2^31-1
	 */
	boolean increaseConnectionWindow(int increment) {
		long sum = (long) this.connectionWindow + increment;
		if (sum > Integer.MAX_VALUE) {
			return false;
		}
		this.connectionWindow = (int) sum;
		this.stall.end();
		return true;
	}

	/**
	 * The peer changed SETTINGS_INITIAL_WINDOW_SIZE, which moves the window of every
	 * stream, below zero if need be (section 6.9.2).
	 * @return {@code false} if a window has become larger than 2^31-1
	 */
	boolean initialWindow(int window, Collection<? extends OutboundStream> streams) {
		int delta = window - this.initialWindow;
		this.initialWindow = window;
		if (delta == 0) {
			return true;
		}
		boolean valid = true;
		for (OutboundStream stream : streams) {
			valid &= stream.increaseSendWindow(delta);
		}
		return valid;
	}

	/**
	 * A stream has bytes to send and is not waiting yet.
	 */
	void await(OutboundStream stream) {
		this.inLine++;
		this.waiting.add(stream);
	}

	/**
	 * A stream that stood in the line has its turn.
	 */
	void turn() {
		this.inLine--;
	}

	/**
	 * How long the line is, with what was left behind in it.
	 */
	int lineLength() {
		return this.waiting.size();
	}

	/**
	 * A stream that stands in the line has ended. It is passed over when its turn comes,
	 * unless there are more of its kind than of others.
	 */
	void ended() {
		this.inLine--;
		if (this.inLine == 0) {
			this.stall.end();
		}
		if (this.waiting.size() > MOST_LEFT_BEHIND + 2 * this.inLine) {
			this.waiting.removeIf((stream) -> !stream.isInLine());
		}
	}

	/**
	 * Lets the waiting streams write what they may. A stream without credit of its own
	 * leaves the line, and joins it again when it gets some.
	 */
	void drain() {
		if (this.draining) {
			return;
		}
		this.draining = true;
		try {
			while (this.writable && this.connectionWindow > 0) {
				if (this.turn <= 0) {
					if (!this.waiting.isEmpty()) {
						this.turnOver.run();
					}
					return;
				}
				OutboundStream stream = this.waiting.poll();
				if (stream == null) {
					return;
				}
				stream.writeNextFrame();
			}
			if (this.inLine > 0 && this.connectionWindow == 0) {
				this.stall.begin();
			}
		}
		finally {
			this.draining = false;
		}
	}

	/**
	 * Makes what tells of the times in which a stream has no credit of its own.
	 */
	Stall streamStall() {
		return new Stall(this.telemetry, this.clock);
	}

}
