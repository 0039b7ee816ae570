package dev.grpcloop.engine.telemetry;

/**
 * What happens between the event loops and the executors that service code runs on. Each
 * method says on which thread it is called.
 */
public interface ExecutorTelemetry {

	/** Records nothing, and wants nothing measured. */
	ExecutorTelemetry NOOP = new ExecutorTelemetry() {
	};

	/**
	 * Work of a call was handed to an executor, or is about to be. On the call's event
	 * loop, or on a thread of service code.
	 */
	default void handedOver() {
	}

	/**
	 * The executor began with work that was handed to it. On the executor's thread.
	 * @param waitedNanos how long the work has waited, in nanoseconds
	 */
	default void begun(long waitedNanos) {
	}

	/**
	 * The executor has refused work that was handed to it. On the thread that
	 * {@link #handedOver()} was called on.
	 */
	default void rejected() {
	}

}
