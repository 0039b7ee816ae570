package dev.grpcloop.boot.statistics;

/**
 * The numbers of what goes from the event loops to executors. Any thread may read them.
 */
public final class ExecutorStatistics {

	private final ExecutorRecorder recorder;

	ExecutorStatistics(ExecutorRecorder recorder) {
		this.recorder = recorder;
	}

	/**
	 * Returns how often work was handed to an executor.
	 * @return the number, those that were rejected included
	 */
	public long handedOver() {
		return this.recorder.countHandedOver();
	}

	/**
	 * Returns how often an executor began with work that was handed to it.
	 * @return the number
	 */
	public long begun() {
		return this.recorder.countBegun();
	}

	/**
	 * Returns how often an executor refused work.
	 * @return the number
	 */
	public long rejected() {
		return this.recorder.countRejected();
	}

	/**
	 * Returns how much work waits for a thread. What an executor dropped without a word
	 * when it was shut down is in it for ever.
	 * @return the number, never negative
	 */
	public long waiting() {
		// in this order: what begins in between was handed over before the last reading
		long over = begun() + rejected();
		return Math.max(0, handedOver() - over);
	}

	/**
	 * Returns how long the work that was begun had waited, all together.
	 * @return nanoseconds
	 */
	public long waitNanos() {
		return this.recorder.waitNanos();
	}

	/**
	 * Returns the longest wait of the last minutes.
	 * @return nanoseconds, 0 if there was none
	 */
	public long longestWaitNanos() {
		return this.recorder.longestWaitNanos();
	}

}
