package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

/**
 * How much of what costs the server more than the peer a peer may do on one connection.
 * The numbers of frames are per period.
 *
 * @param periodNanos the period, in nanoseconds
 * @param resets RST_STREAM frames, on top of one for each call that may be open at once
 * @param protocolFaults streams that the server has to reset or refuse for faults of the
 * peer, on top of as many
 * @param settings SETTINGS frames; each 128 different entries of one count as one more
 * @param controlFrames frames that change nothing: PRIORITY, unknown types,
 * acknowledgements of nothing, and WINDOW_UPDATE beyond four for each DATA frame sent and
 * each stream opened
 * @param emptyFrames DATA frames with neither data nor END_STREAM
 * @param tinyFrames DATA frames that the peer's window makes smaller than 256 bytes,
 * beyond one for each other DATA frame sent
 * @param smallContinuations CONTINUATION frames of less than 8 KiB in one header block,
 * whatever the period
 */
public record AbuseLimits(long periodNanos, int resets, int protocolFaults, int settings, int controlFrames,
		int emptyFrames, int tinyFrames, int smallContinuations) {

	/** What a server puts up with that was told nothing. */
	public static final AbuseLimits DEFAULT = new AbuseLimits(TimeUnit.SECONDS.toNanos(30), 200, 200, 1000, 120_000,
			100, 1000, 16);

	/**
	 * Checks the numbers.
	 * @throws IllegalArgumentException if the period is not positive, a number is
	 * negative, or no small continuation is allowed
	 */
	public AbuseLimits {
		requireAtLeast("periodNanos", periodNanos, 1);
		requireAtLeast("resets", resets, 0);
		requireAtLeast("protocolFaults", protocolFaults, 0);
		requireAtLeast("settings", settings, 0);
		requireAtLeast("controlFrames", controlFrames, 0);
		requireAtLeast("emptyFrames", emptyFrames, 0);
		requireAtLeast("tinyFrames", tinyFrames, 0);
		requireAtLeast("smallContinuations", smallContinuations, 1);
	}

	private static void requireAtLeast(String name, long value, long least) {
		if (value < least) {
			throw new IllegalArgumentException(name + " is " + value + "; it must be at least " + least);
		}
	}

}
