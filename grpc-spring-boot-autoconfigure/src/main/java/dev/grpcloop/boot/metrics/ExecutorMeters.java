package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.executor.CallExecutor.Pool;
import dev.grpcloop.boot.statistics.ExecutorStatistics;

/**
 * What goes from the event loops to executors, and the threads of the pool where there is
 * one.
 */
final class ExecutorMeters {

	private ExecutorMeters() {
	}

	static void register(Registration meters) {
		meters.counter("grpc.engine.executor.tasks", "Pieces of work of calls that were handed to an executor",
				(sources) -> sources.executors(ExecutorStatistics::handedOver));
		meters.counter("grpc.engine.executor.rejected", "Pieces of work that an executor has refused",
				(sources) -> sources.executors(ExecutorStatistics::rejected));
		meters.gauge("grpc.engine.executor.waiting", "Pieces of work that wait for a thread",
				(sources) -> sources.executors(ExecutorStatistics::waiting));
		meters.timer("grpc.engine.executor.wait", "Time that work has waited for a thread",
				(sources) -> sources.executors(ExecutorStatistics::begun),
				(sources) -> sources.executors(ExecutorStatistics::waitNanos));
		meters.timeGauge("grpc.engine.executor.wait.longest",
				"Longest time of the last two minutes that work has waited for a thread", Sources::longestWaitNanos);
	}

	static void registerPool(Registration meters) {
		meters.gauge("grpc.engine.executor.pool.size", "Threads of the pool",
				(sources) -> sources.pools(Pool::threads));
		meters.gauge("grpc.engine.executor.pool.max", "Most threads that the pool may have",
				(sources) -> sources.pools(Pool::maxThreads));
		meters.gauge("grpc.engine.executor.pool.active", "Threads of the pool that work",
				(sources) -> sources.pools(Pool::active));
		meters.gauge("grpc.engine.executor.queue.size", "Pieces of work in the queue of the pool",
				(sources) -> sources.pools(Pool::queued));
		meters.gauge("grpc.engine.executor.queue.capacity", "Most pieces of work that the queue of the pool takes",
				(sources) -> sources.pools(Pool::queueCapacity));
	}

}
