package dev.grpcloop.boot.statistics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The greatest of the values of the last two minutes or a little more. The time is looked
 * at when it is read, never when a value comes: where nobody reads for longer, it is the
 * greatest since the last reading.
 */
final class RecentMaximum {

	/** How long a value counts at least. */
	private static final long WINDOW = TimeUnit.MINUTES.toNanos(2);

	/** How much longer it may count. */
	private static final long STEP = TimeUnit.SECONDS.toNanos(15);

	private final LongSupplier clock;

	/** The greatest value since {@link #begun}. */
	private final AtomicLong current = new AtomicLong();

	/** Former values of {@link #current}, and when they ceased to be it. */
	private final Deque<Ended> ended = new ArrayDeque<>();

	private long begun;

	RecentMaximum(LongSupplier clock) {
		this.clock = clock;
		this.begun = clock.getAsLong();
	}

	/**
	 * Takes a value. On any thread.
	 * @param value the value, 0 or more
	 */
	void record(long value) {
		if (value > this.current.getOpaque()) {
			this.current.accumulateAndGet(value, Math::max);
		}
	}

	/**
	 * Reads the maximum, on any thread.
	 * @return the greatest value, 0 if there was none
	 */
	synchronized long get() {
		long now = this.clock.getAsLong();
		if (now - this.begun >= STEP) {
			this.ended.addLast(new Ended(this.current.getAndSet(0), now));
			this.begun = now;
		}
		while (!this.ended.isEmpty() && now - this.ended.getFirst().time() >= WINDOW) {
			this.ended.removeFirst();
		}
		long maximum = this.current.get();
		for (Ended former : this.ended) {
			maximum = Math.max(maximum, former.value());
		}
		return maximum;
	}

	private record Ended(long value, long time) {
	}

}
