package dev.grpcloop.boot.statistics;

import java.util.concurrent.atomic.LongAdder;

import dev.grpcloop.engine.telemetry.ExecutorTelemetry;

/**
 * Counts what is handed to executors, on many threads.
 */
final class ExecutorRecorder implements ExecutorTelemetry {

	private final LongAdder handedOver = new LongAdder();

	private final LongAdder begun = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final LongAdder waitNanos = new LongAdder();

	private final RecentMaximum longestWait = new RecentMaximum(System::nanoTime);

	@Override
	public void handedOver() {
		this.handedOver.increment();
	}

	@Override
	public void begun(long waitedNanos) {
		this.waitNanos.add(waitedNanos);
		this.longestWait.record(waitedNanos);
		this.begun.increment();
	}

	@Override
	public void rejected() {
		this.rejected.increment();
	}

	long countHandedOver() {
		return this.handedOver.sum();
	}

	long countBegun() {
		return this.begun.sum();
	}

	long countRejected() {
		return this.rejected.sum();
	}

	long waitNanos() {
		return this.waitNanos.sum();
	}

	long longestWaitNanos() {
		return this.longestWait.get();
	}

}
