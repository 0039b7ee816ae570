package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Guard;
import org.jspecify.annotations.Nullable;

/**
 * The guards of one connection against a peer whose frames cost the server more than the
 * peer (RFC 9113 section 10.5): a budget for each kind of such frames. The first that is
 * used up ends the connection.
 * <p>
 * Owned by the event loop.
 */
final class AbuseGuards {

	/** Settings that the server does not know cost memory while they are looked at. */
	private static final int SETTINGS_PER_UNIT = 128;

	/** Smaller frames are mostly header. */
	static final int TINY_FRAME = 256;

	private final ConnectionBatch clock;

	private final FrameBudget resets;

	private final FrameBudget protocolFaults;

	private final FrameBudget settings;

	private final FrameBudget control;

	private final FrameBudget emptyFrames;

	private final FrameBudget tinyFrames;

	private final AnswerAllowance windowUpdates;

	private final AnswerAllowance wholeFrames;

	private @Nullable FrameBudget tripped;

	AbuseGuards(ConnectionBatch clock, AbuseLimits limits, int maxConcurrentStreams) {
		this.clock = clock;
		long period = limits.periodNanos();
		this.resets = new FrameBudget(Guard.RAPID_RESET, "RST_STREAM frames",
				(long) limits.resets() + maxConcurrentStreams, period);
		this.protocolFaults = new FrameBudget(Guard.PROTOCOL_FAULTS, "faulty streams",
				(long) limits.protocolFaults() + maxConcurrentStreams, period);
		this.settings = new FrameBudget(Guard.SETTINGS_FLOOD, "SETTINGS frames", limits.settings(), period);
		this.control = new FrameBudget(Guard.CONTROL_FLOOD, "frames that change nothing", limits.controlFrames(),
				period);
		this.emptyFrames = new FrameBudget(Guard.EMPTY_FRAMES, "empty DATA frames", limits.emptyFrames(), period);
		this.tinyFrames = new FrameBudget(Guard.TINY_WINDOWS, "windows of less than " + TINY_FRAME + " bytes",
				limits.tinyFrames(), period);
		this.windowUpdates = new AnswerAllowance(4, Integer.MAX_VALUE);
		this.wholeFrames = new AnswerAllowance(1, limits.tinyFrames());
	}

	/**
	 * RST_STREAM was read, on whatever stream: the server cannot know whether the peer
	 * had a reason.
	 */
	void resetRead() throws AbuseException {
		this.resets.spend(this.clock.nanos());
	}

	/**
	 * The peer broke a rule on one stream, and the server has to reset or refuse it.
	 */
	void protocolFault() throws AbuseException {
		this.protocolFaults.spend(this.clock.nanos());
	}

	/**
	 * SETTINGS were read.
	 * @param entries how many different ones
	 */
	void settingsRead(int entries) throws AbuseException {
		this.settings.spend(1 + entries / SETTINGS_PER_UNIT, this.clock.nanos());
	}

	/**
	 * A frame was read that changes nothing.
	 */
	void idleFrame() throws AbuseException {
		this.control.spend(this.clock.nanos());
	}

	/**
	 * WINDOW_UPDATE was read. A peer that reads what it is sent may answer each DATA
	 * frame with some, and each stream it opens.
	 * @param causes how many DATA frames were sent and streams opened so far
	 */
	void windowUpdateRead(int causes) throws AbuseException {
		if (!this.windowUpdates.takes(causes)) {
			idleFrame();
		}
	}

	/**
	 * DATA without data and without END_STREAM was read.
	 */
	void emptyDataRead() throws AbuseException {
		this.emptyFrames.spend(this.clock.nanos());
	}

	/**
	 * A tiny DATA frame is about to be sent because the window is as small. Every
	 * connection has them, at the end of a window; a peer that lets the server send as
	 * many whole frames has paid for them.
	 * @param framesSent how many DATA frames were sent so far
	 */
	void tinyFrame(int framesSent) {
		boolean paid = this.wholeFrames.takes(framesSent);
		// the tiny one is sent next, and pays for none
		this.wholeFrames.passOver();
		if (!paid && !this.tinyFrames.allows(1, this.clock.nanos()) && this.tripped == null) {
			this.tripped = this.tinyFrames;
		}
	}

	/**
	 * The budget that was used up while something was written, where nothing can be
	 * thrown.
	 */
	@Nullable FrameBudget tripped() {
		return this.tripped;
	}

}
