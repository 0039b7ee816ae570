package dev.grpcloop.boot.executor;

import org.jspecify.annotations.Nullable;

/**
 * Where service code runs that waits for messages of its own call. It is an executor of
 * the kind that the calls of the server run on, off the event loops, but not the same: if
 * all threads of one pool waited for messages, there would be none to bring them.
 * <p>
 * It is made when the first task needs it, and closed with the context. It is no
 * {@link java.util.concurrent.Executor}: with a bean of that type in the context Spring
 * Boot would not make the {@code applicationTaskExecutor}.
 */
public final class CallTaskExecutor implements AutoCloseable {

	private final CallExecutorFactory executors;

	private volatile @Nullable CallExecutor executor;

	private boolean closed;

	/**
	 * An executor of a factory's kind.
	 * @param executors makes it
	 */
	public CallTaskExecutor(CallExecutorFactory executors) {
		this.executors = executors;
	}

	/**
	 * Runs a task on a thread that may wait.
	 * @param task the task
	 * @throws java.util.concurrent.RejectedExecutionException if there is none
	 */
	public void execute(Runnable task) {
		CallExecutor executor = this.executor;
		((executor != null) ? executor : make()).executor().execute(task);
	}

	private synchronized CallExecutor make() {
		if (this.closed) {
			throw new java.util.concurrent.RejectedExecutionException("The application has ended");
		}
		CallExecutor executor = this.executor;
		if (executor == null) {
			executor = this.executors.create();
			this.executor = executor;
		}
		return executor;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		CallExecutor executor = this.executor;
		if (executor != null) {
			executor.close();
		}
	}

}
