package dev.grpcloop.boot.executor;

import java.util.concurrent.Executor;

import dev.grpcloop.engine.EventLoopServerBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * The executor of one server: made with it, closed after it.
 */
public final class CallExecutor implements AutoCloseable {

	private static final String THREAD_NAME_PREFIX = "grpc-call-";

	private final @Nullable Executor executor;

	private final String description;

	private CallExecutor(@Nullable Executor executor, String description) {
		this.executor = executor;
		this.description = description;
	}

	static CallExecutor eventLoop(String reason) {
		return new CallExecutor(null, "the event loops (" + reason + ")");
	}

	static CallExecutor virtual(String reason) {
		return new CallExecutor(new VirtualThreadTaskExecutor(THREAD_NAME_PREFIX), "virtual threads (" + reason + ")");
	}

	static CallExecutor platform(int maxThreads, int queueCapacity, String reason) {
		return new CallExecutor(new CallThreadPool(THREAD_NAME_PREFIX, maxThreads, queueCapacity),
				"a pool of up to " + maxThreads + " threads (" + reason + ")");
	}

	/**
	 * Makes the server run its calls here.
	 * @param builder the builder of the server
	 */
	public void applyTo(EventLoopServerBuilder builder) {
		if (this.executor == null) {
			builder.directExecutor();
		}
		else {
			builder.executor(this.executor);
		}
	}

	/**
	 * Ends the threads of a pool. For the time after the server has terminated.
	 */
	@Override
	public void close() {
		if (this.executor instanceof CallThreadPool pool) {
			pool.close();
		}
	}

	/**
	 * Says what was chosen and why, for the log.
	 * @return for example {@code virtual threads (grpc.server.executor.mode is virtual)}
	 */
	@Override
	public String toString() {
		return this.description;
	}

}
