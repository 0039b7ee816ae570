package dev.grpcloop.engine.call;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import org.jspecify.annotations.Nullable;

/**
 * Hands the task of a call to its executor, and tells how long it waits there for a
 * thread.
 * <p>
 * Used by whoever submits the task, and then by the task: one thread at a time.
 */
final class Handover {

	private final Executor executor;

	/** {@code null} if nobody wants to know. */
	private final @Nullable ExecutorTelemetry telemetry;

	/** The executor has the task, and has not begun with it. */
	private boolean waits;

	private long sinceNanos;

	Handover(Executor executor, ExecutorTelemetry telemetry) {
		this.executor = executor;
		this.telemetry = (telemetry != ExecutorTelemetry.NOOP) ? telemetry : null;
	}

	/**
	 * Hands the task over.
	 * @return whether the executor has taken it
	 */
	boolean submit(Runnable task) {
		try {
			if (this.telemetry != null) {
				this.waits = true;
				this.sinceNanos = System.nanoTime();
				this.telemetry.handedOver();
			}
			this.executor.execute(task);
			return true;
		}
		catch (RejectedExecutionException ex) {
			rejected();
			return false;
		}
		catch (Throwable ex) {
			CallDelivery.LOGGER.log(System.Logger.Level.ERROR,
					"The executor of the server failed to take a call; the call ends with RESOURCE_EXHAUSTED", ex);
			rejected();
			return false;
		}
	}

	private void rejected() {
		if (this.telemetry != null) {
			this.waits = false;
			this.telemetry.rejected();
		}
	}

	/**
	 * The task begins. If it was not handed over, nothing is told.
	 */
	void begun() {
		if (this.waits) {
			this.waits = false;
			this.telemetry.begun(System.nanoTime() - this.sinceNanos);
		}
	}

}
