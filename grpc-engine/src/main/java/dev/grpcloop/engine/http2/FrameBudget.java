package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.Guard;

/**
 * How many frames of one kind a peer may send in a period. A period begins with the first
 * frame after the last one has passed. With 1200 frames in 30 s: 1200 at once are
 * allowed, and 1200 more 30 s after the first of them; three a second never come near.
 * Since periods do not slide, at most twice the number can come within 30 s, and never
 * more on the average.
 * <p>
 * Owned by the event loop.
 */
final class FrameBudget {

	private final Guard guard;

	private final String frames;

	private final long limit;

	private final long periodNanos;

	private long periodStart;

	/** Spent in the period. 0 only before the first frame of all. */
	private long spent;

	/**
	 * Creates a budget.
	 * @param guard what trips when it is used up
	 * @param frames what is counted, for people
	 * @param limit how many are allowed in a period
	 * @param periodNanos the period, in nanoseconds
	 */
	FrameBudget(Guard guard, String frames, long limit, long periodNanos) {
		this.guard = guard;
		this.frames = frames;
		this.limit = limit;
		this.periodNanos = periodNanos;
	}

	/**
	 * Counts frames.
	 * @param count how many
	 * @param nanos when they came, as {@link System#nanoTime()} tells it
	 * @return whether they were allowed
	 */
	boolean allows(int count, long nanos) {
		if (this.spent == 0 || nanos - this.periodStart >= this.periodNanos) {
			this.periodStart = nanos;
			this.spent = 0;
		}
		this.spent += count;
		return this.spent <= this.limit;
	}

	/**
	 * Counts a frame.
	 * @param nanos when it came, as {@link System#nanoTime()} tells it
	 * @throws AbuseException if it is one too many
	 */
	void spend(long nanos) throws AbuseException {
		spend(1, nanos);
	}

	void spend(int count, long nanos) throws AbuseException {
		if (!allows(count, nanos)) {
			throw new AbuseException(this.guard, excess());
		}
	}

	Guard guard() {
		return this.guard;
	}

	/**
	 * Says what was too much.
	 */
	String excess() {
		return "more than " + this.limit + " " + this.frames + " in " + TimeUnit.NANOSECONDS.toSeconds(this.periodNanos)
				+ " s";
	}

}
