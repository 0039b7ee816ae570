package dev.grpcloop.boot.statistics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The share of a growing time in the time that has passed, over the last minute or a
 * little more; where nobody reads for longer, since the last reading.
 */
final class RecentShare {

	/** How far it looks back at least, if there is so much. */
	private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);

	private static final long STEP = TimeUnit.SECONDS.toNanos(5);

	private final LongSupplier clock;

	private final LongSupplier time;

	private final Deque<Sample> samples = new ArrayDeque<>();

	/**
	 * A share.
	 * @param clock tells the time, in nanoseconds
	 * @param time tells how much was spent so far, in nanoseconds
	 */
	RecentShare(LongSupplier clock, LongSupplier time) {
		this.clock = clock;
		this.time = time;
		this.samples.add(new Sample(clock.getAsLong(), time.getAsLong()));
	}

	/**
	 * Reads the share, on any thread.
	 * @return from 0 to 1
	 */
	synchronized double get() {
		Sample now = new Sample(this.clock.getAsLong(), this.time.getAsLong());
		if (now.at() - this.samples.getLast().at() >= STEP) {
			this.samples.addLast(now);
		}
		// the oldest is the last one that is not younger than the window
		while (this.samples.size() > 2 && now.at() - second().at() >= WINDOW) {
			this.samples.removeFirst();
		}
		Sample first = this.samples.getFirst();
		long passed = now.at() - first.at();
		double share = (passed > 0) ? (double) (now.spent() - first.spent()) / passed : 0;
		return Math.min(share, 1);
	}

	private Sample second() {
		var samples = this.samples.iterator();
		samples.next();
		return samples.next();
	}

	private record Sample(long at, long spent) {
	}

}
