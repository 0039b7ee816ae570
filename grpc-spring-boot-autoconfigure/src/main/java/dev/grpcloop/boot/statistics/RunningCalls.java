package dev.grpcloop.boot.statistics;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * The running calls of one method on one event loop: how many there are, how long they
 * have run, and for how long the oldest. Written on that loop only, read on any thread.
 * <p>
 * With the sum of the arrival times, the time that all of them have run is
 * {@code calls × now − sum}: three calls that arrived at 5, 6 and 10 have a sum of 21 and
 * have run for 3 × 12 − 21 = 15 at 12. The sum may overflow; the difference is right all
 * the same. It must be read together with the number that belongs to it, so a sequence
 * number is odd while they change, and readers read again. The loop never waits for them.
 */
final class RunningCalls {

	/** A cache line of 64 bytes on either side. */
	private static final int PADDING = 8;

	private static final int SEQUENCE = PADDING;

	private static final int CALLS = PADDING + 1;

	private static final int SUM = PADDING + 2;

	private static final int OLDEST = PADDING + 3;

	private static final int SPINS = 100;

	private final AtomicLongArray cells = new AtomicLongArray(OLDEST + 1 + PADDING);

	private final ArrivalRuns runs = new ArrivalRuns();

	/**
	 * A call has begun. Only on the loop.
	 * @param arrival when it arrived, as {@link System#nanoTime()} tells it
	 */
	void started(long arrival) {
		this.runs.add(arrival);
		change(1, arrival);
	}

	/**
	 * A call has ended. Only on the loop.
	 * @param arrival when it arrived
	 */
	void closed(long arrival) {
		this.runs.remove(arrival);
		change(-1, -arrival);
	}

	private void change(int calls, long arrival) {
		long sequence = this.cells.getPlain(SEQUENCE);
		this.cells.setOpaque(SEQUENCE, sequence + 1);
		VarHandle.releaseFence();
		this.cells.setOpaque(CALLS, this.cells.getPlain(CALLS) + calls);
		this.cells.setOpaque(SUM, this.cells.getPlain(SUM) + arrival);
		this.cells.setOpaque(OLDEST, this.runs.oldest());
		this.cells.setRelease(SEQUENCE, sequence + 2);
	}

	/**
	 * Returns how long the running calls have run, all together.
	 * @param clock the present time
	 * @return nanoseconds
	 */
	long totalNanos(LongSupplier clock) {
		return read((calls, sum, oldest) -> (calls != 0) ? calls * clock.getAsLong() - sum : 0);
	}

	/**
	 * Returns how long the oldest of the running calls has run.
	 * @param clock the present time
	 * @return nanoseconds, 0 if no call runs
	 */
	long oldestNanos(LongSupplier clock) {
		return read((calls, sum, oldest) -> (calls != 0) ? clock.getAsLong() - oldest : 0);
	}

	private long read(Reader reader) {
		for (int spins = 0;; spins++) {
			long sequence = this.cells.getAcquire(SEQUENCE);
			long calls = this.cells.getOpaque(CALLS);
			long sum = this.cells.getOpaque(SUM);
			long oldest = this.cells.getOpaque(OLDEST);
			VarHandle.acquireFence();
			if ((sequence & 1) == 0 && this.cells.getOpaque(SEQUENCE) == sequence) {
				return Math.max(reader.read(calls, sum, oldest), 0);
			}
			if (spins < SPINS) {
				Thread.onSpinWait();
			}
			else {
				// the loop has lost its processor while it wrote
				Thread.yield();
			}
		}
	}

	private interface Reader {

		long read(long calls, long sum, long oldest);

	}

}
