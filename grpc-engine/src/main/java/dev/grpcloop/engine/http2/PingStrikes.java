package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

/**
 * Counts the pings that come too soon after the last good one (gRPC A8, case B40 a to d).
 * The first is good, and so is the first after the server has sent HEADERS or DATA: a
 * client may want to know how long an answer took. More than {@value #MAX_STRIKES} bad
 * ones are too many.
 * <p>
 * With a permit of 5 min and a call, pings at 0, 1, 2 and 3 min: good, bad, bad, too
 * many. At 0, 3, 6 and 9 min: good, bad, good, bad, which goes on until the third bad one
 * at 15 min.
 * <p>
 * Owned by the event loop.
 */
final class PingStrikes {

	static final int MAX_STRIKES = 2;

	/**
	 * How often a client may ping without a call, and the longest permit that there is.
	 */
	static final long LONGEST_PERMIT_NANOS = TimeUnit.HOURS.toNanos(2);

	private final long permitNanos;

	private final boolean permitWithoutCalls;

	private boolean first = true;

	private long lastGoodNanos;

	private int strikes;

	PingStrikes(ConnectionLife life) {
		this.permitNanos = Math.min(life.permitNanos(), LONGEST_PERMIT_NANOS);
		this.permitWithoutCalls = life.permitWithoutCalls();
	}

	/**
	 * The server has sent HEADERS or DATA.
	 */
	void reset() {
		this.first = true;
		this.strikes = 0;
	}

	/**
	 * The peer has sent a ping that is no acknowledgement.
	 * @param nanos when
	 * @param hasCalls whether it has a call now
	 * @return whether this was one too many
	 */
	boolean isTooMany(long nanos, boolean hasCalls) {
		long permit = (hasCalls || this.permitWithoutCalls) ? this.permitNanos : LONGEST_PERMIT_NANOS;
		if (this.first || nanos - this.lastGoodNanos >= permit) {
			this.first = false;
			this.lastGoodNanos = nanos;
			return false;
		}
		this.strikes++;
		return this.strikes > MAX_STRIKES;
	}

}
