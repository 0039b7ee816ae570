package dev.grpcloop.boot.executor;

import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerBuilder;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * The executor of one server: made with it, closed after it.
 */
public final class CallExecutor implements AutoCloseable {

	private static final String THREAD_NAME_PREFIX = "grpc-call-";

	private final Executor executor;

	private final boolean eventLoop;

	private final String description;

	private CallExecutor(Executor executor, boolean eventLoop, String description) {
		this.executor = executor;
		this.eventLoop = eventLoop;
		this.description = description;
	}

	/**
	 * The event loops.
	 * @param blocking where the methods run that are said to block
	 */
	static CallExecutor eventLoop(Supplier<CallExecutor> blocking, String reason) {
		return new CallExecutor(new OnDemand(blocking), true, "the event loops (" + reason + ")");
	}

	/**
	 * Somebody else's, who ends it.
	 * @param executor where service code runs
	 */
	static CallExecutor provided(Executor executor, String reason) {
		return new CallExecutor(executor, false, "the application's executor (" + reason + ")");
	}

	static CallExecutor virtual(String reason) {
		return new CallExecutor(new VirtualThreadTaskExecutor(THREAD_NAME_PREFIX), false,
				"virtual threads (" + reason + ")");
	}

	static CallExecutor platform(int maxThreads, int queueCapacity, String reason) {
		return new CallExecutor(new CallThreadPool(THREAD_NAME_PREFIX, maxThreads, queueCapacity), false,
				"a pool of up to " + maxThreads + " threads (" + reason + ")");
	}

	/**
	 * Makes the server run its calls here.
	 * @param builder the builder of the server
	 */
	public void applyTo(EventLoopServerBuilder builder) {
		builder.executor(this.executor);
		if (this.eventLoop) {
			builder.directExecutor();
		}
	}

	/**
	 * Returns where code runs that may block.
	 * @return never the event loops
	 */
	Executor executor() {
		return this.executor;
	}

	/**
	 * Whether methods that do not say where they run do so on the event loops.
	 * @return whether this is the mode
	 */
	public boolean isEventLoop() {
		return this.eventLoop;
	}

	/**
	 * Makes a server without event loops run its calls here: off them, where they are the
	 * choice.
	 * @param builder the builder of the server
	 */
	public void applyTo(ServerBuilder<?> builder) {
		builder.executor(this.executor);
	}

	/**
	 * Returns the numbers of the pool. Takes no lock.
	 * @return the numbers of the moment, or {@code null} if there is no pool, or none yet
	 */
	public @Nullable Pool pool() {
		if (this.executor instanceof CallThreadPool pool) {
			return pool.numbers();
		}
		return (this.executor instanceof OnDemand onDemand) ? onDemand.pool() : null;
	}

	/**
	 * Returns the limits of the threads and of what waits for them.
	 * @return by the names of the properties; none if there are none, or if they are the
	 * application's
	 */
	public Map<String, Integer> limits() {
		if (this.executor instanceof CallThreadPool pool) {
			return Map.of("grpc.server.executor.max-threads", pool.maxThreads(), "grpc.server.executor.queue-capacity",
					pool.queueCapacity());
		}
		return (this.executor instanceof OnDemand onDemand) ? onDemand.limits() : Map.of();
	}

	/**
	 * Ends the threads of a pool. For the time after the server has terminated.
	 */
	@Override
	public void close() {
		if (this.executor instanceof CallThreadPool pool) {
			pool.close();
		}
		else if (this.executor instanceof OnDemand onDemand) {
			onDemand.close();
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

	/**
	 * The numbers of a pool at one moment.
	 *
	 * @param threads how many threads it has
	 * @param maxThreads how many it may have
	 * @param active how many of them are not idle
	 * @param queued how many tasks wait for one
	 * @param queueCapacity how many may
	 */
	public record Pool(int threads, int maxThreads, int active, int queued, int queueCapacity) {
	}

	/**
	 * Made when the first method needs it that is said to block.
	 */
	private static final class OnDemand implements Executor, AutoCloseable {

		private final Supplier<CallExecutor> supplier;

		private volatile @Nullable CallExecutor made;

		OnDemand(Supplier<CallExecutor> supplier) {
			this.supplier = supplier;
		}

		@Override
		public void execute(Runnable task) {
			CallExecutor executor = this.made;
			((executor != null) ? executor : make()).executor.execute(task);
		}

		private synchronized CallExecutor make() {
			CallExecutor executor = this.made;
			if (executor == null) {
				executor = this.supplier.get();
				this.made = executor;
			}
			return executor;
		}

		@Nullable Pool pool() {
			CallExecutor executor = this.made;
			return (executor != null) ? executor.pool() : null;
		}

		/** Those of what was made: before that there is nothing to limit. */
		Map<String, Integer> limits() {
			CallExecutor executor = this.made;
			return (executor != null) ? executor.limits() : Map.of();
		}

		@Override
		public synchronized void close() {
			if (this.made != null) {
				this.made.close();
			}
		}

	}

}
