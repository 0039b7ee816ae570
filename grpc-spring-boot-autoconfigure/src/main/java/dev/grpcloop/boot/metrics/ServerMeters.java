package dev.grpcloop.boot.metrics;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;

import dev.grpcloop.boot.executor.CallExecutor;
import dev.grpcloop.engine.EventLoopServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/**
 * What is not counted but read from the server itself: the memory that it holds, and the
 * threads of its pool.
 * <p>
 * One instance serves one server at a time, the one that has started last. It does not
 * keep it.
 */
public final class ServerMeters implements MeterBinder, ApplicationListener<GrpcServerStartedEvent> {

	private static final WeakReference<EventLoopServer> NONE = new WeakReference<>(null);

	private final @Nullable Supplier<@Nullable CallExecutor> executor;

	private volatile WeakReference<EventLoopServer> server = NONE;

	/**
	 * Creates the meters.
	 * @param executor gives the executor of the server that runs, or {@code null} if it
	 * never has a pool
	 */
	public ServerMeters(@Nullable Supplier<@Nullable CallExecutor> executor) {
		this.executor = executor;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Sources sources = Sources.of(registry);
		sources.add(this);
		Registration meters = new Registration(registry, sources);
		MemoryMeters.register(meters);
		if (this.executor != null) {
			ExecutorMeters.registerPool(meters);
		}
	}

	@Override
	public void onApplicationEvent(GrpcServerStartedEvent event) {
		// an in-process server beside ours has events of the same type
		if (event.getServer() instanceof EventLoopServer eventLoopServer) {
			this.server = new WeakReference<>(eventLoopServer);
		}
	}

	long bufferedBytes() {
		EventLoopServer current = this.server.get();
		return (current != null) ? current.getBufferedBytes() : 0;
	}

	long maxBufferedBytes() {
		EventLoopServer current = this.server.get();
		return (current != null) ? current.getMaxBufferedBytes() : 0;
	}

	int pendingTasks(int loop) {
		EventLoopServer current = this.server.get();
		// a loop may be left from a server that had more
		return (current != null && loop < current.getWorkers()) ? current.getPendingTasks(loop) : 0;
	}

	CallExecutor.@Nullable Pool pool() {
		CallExecutor current = (this.executor != null) ? this.executor.get() : null;
		return (current != null) ? current.pool() : null;
	}

}
