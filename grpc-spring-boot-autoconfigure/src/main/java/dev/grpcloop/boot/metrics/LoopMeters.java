package dev.grpcloop.boot.metrics;

import java.util.Objects;

import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics.BlockedCallbacks;
import io.grpc.MethodDescriptor;

/**
 * The event loops, each by its index. They become known when the server starts.
 *
 * @param meters where they are registered
 */
record LoopMeters(Registration meters) implements ServerStatistics.Listener {

	@Override
	public void loopAdded(LoopStatistics added) {
		this.meters.sources().add(added);
		int index = added.index();
		String[] tags = { "loop", Integer.toString(index) };
		this.meters.seconds("grpc.engine.loop.busy.time", "Time that an event loop has worked",
				(sources) -> sources.loops(index).mapToLong(LoopStatistics::busyNanos).sum(), tags);
		this.meters.seconds("grpc.engine.loop.waited.time", "Time that an event loop has waited for its connections",
				(sources) -> sources.loops(index).mapToLong(LoopStatistics::waitedNanos).sum(), tags);
		this.meters.gauge("grpc.engine.loop.busy", "Share of the last minute that an event loop has worked, 0 to 1",
				(sources) -> busiest(sources, index), tags);
		this.meters.timeGauge("grpc.engine.loop.longest",
				"Longest time of the last two minutes that an event loop did not look at its connections",
				(sources) -> sources.loops(index).mapToLong(LoopStatistics::longestTurnNanos).max().orElse(0), tags);
		this.meters.gauge("grpc.engine.loop.connections", "Connections that are open on an event loop",
				(sources) -> sources.loops(index).mapToLong(LoopStatistics::connections).sum(), tags);
		this.meters.gauge("grpc.engine.loop.tasks", "Tasks that wait for an event loop",
				(sources) -> sources.servers((server) -> server.pendingTasks(index)), tags);
	}

	/** Not a number if none of the loops is measured. */
	private static double busiest(Sources sources, int index) {
		return sources.loops(index)
			.mapToDouble(LoopStatistics::busyShare)
			.filter((share) -> !Double.isNaN(share))
			.max()
			.orElse(Double.NaN);
	}

	@Override
	public void blockedAdded(BlockedCallbacks callbacks) {
		MethodDescriptor<?, ?> method = callbacks.method();
		String name = method.getFullMethodName();
		this.meters.sources().add(callbacks);
		this.meters.counter("grpc.engine.loop.blocked", "Callbacks of service code that held an event loop too long",
				(sources) -> sources.blocked(name), "rpc.service",
				Objects.requireNonNullElse(method.getServiceName(), ""), "rpc.method",
				Objects.requireNonNullElse(method.getBareMethodName(), ""));
	}

}
