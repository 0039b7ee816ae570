package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;

/**
 * The event loops of a server, each with its recorder: its own, which it measures and
 * ends, or those that the application has brought.
 */
final class EventLoops {

	private final EventLoopGroup group;

	private final boolean own;

	private final List<EventExecutor> loops = new ArrayList<>();

	private final List<LoopTelemetry> telemetry = new ArrayList<>();

	EventLoops(ServerSettings settings) {
		EngineTelemetry telemetry = settings.telemetry();
		for (int i = 0; i < settings.workers(); i++) {
			this.telemetry.add(telemetry.loop(i));
		}
		this.own = settings.callersGroup() == null;
		this.group = this.own ? new MultiThreadIoEventLoopGroup(settings.workers(),
				new DefaultThreadFactory("grpc-loop"), MeasuredIoHandler
					.factory(settings.transport().transport().ioHandlerFactory(), this.telemetry.iterator()))
				: settings.callersGroup();
		this.group.forEach(this.loops::add);
	}

	EventLoopGroup group() {
		return this.group;
	}

	int count() {
		return this.loops.size();
	}

	EventExecutor loop(int index) {
		return this.loops.get(index);
	}

	LoopTelemetry telemetry(int index) {
		return this.telemetry.get(index);
	}

	/**
	 * How many tasks wait for a loop. Any thread.
	 */
	int pendingTasks(int index) {
		return (this.loops.get(index) instanceof SingleThreadEventExecutor loop) ? loop.pendingTasks() : 0;
	}

	/**
	 * Ends the loops, if they are the server's own.
	 * @param ended runs when that is done
	 */
	void shutdown(Runnable ended) {
		if (this.own) {
			this.group.shutdownGracefully(0, 5, TimeUnit.SECONDS).addListener((done) -> ended.run());
		}
		else {
			ended.run();
		}
	}

}
