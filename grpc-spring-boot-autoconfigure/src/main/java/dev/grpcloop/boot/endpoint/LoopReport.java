package dev.grpcloop.boot.endpoint;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.engine.EventLoopServer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop. The times are 0 for loops that the application has brought.
 *
 * @param index its index, from 0
 * @param connections how many connections are open on it
 * @param busyTime how long it has worked, in seconds
 * @param waitedTime how long it has waited for its connections, in seconds
 * @param busyShare how much of its time it has worked lately, from 0 to 1, or
 * {@code null} if its times are not known
 * @param pendingTasks how many tasks wait for it, or {@code null} if it does not run
 */
record LoopReport(int index, long connections, double busyTime, double waitedTime, @Nullable Double busyShare,
		@Nullable Integer pendingTasks) {

	static LoopReport of(LoopStatistics loop, Difference recent, @Nullable EventLoopServer server) {
		return new LoopReport(loop.index(), loop.connections(), Seconds.of(loop.busyNanos()),
				Seconds.of(loop.waitedNanos()), (loop.turns() > 0) ? recent.busyShare(loop) : null,
				(server != null && loop.index() < server.getWorkers()) ? server.getPendingTasks(loop.index()) : null);
	}

}
