package dev.grpcloop.boot.metrics;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

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
 * The servers are that of the context and those of its children, whose events come here
 * too. None of them is kept.
 */
public final class ServerMeters implements MeterBinder, ApplicationListener<GrpcServerStartedEvent> {

	private final @Nullable Supplier<@Nullable CallExecutor> executor;

	private final List<WeakReference<EventLoopServer>> servers = new CopyOnWriteArrayList<>();

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
			this.servers.removeIf((reference) -> !isRunning(reference.get()));
			this.servers.add(new WeakReference<>(eventLoopServer));
		}
	}

	private static boolean isRunning(@Nullable EventLoopServer server) {
		return server != null && !server.isTerminated();
	}

	private long sum(ToLongFunction<EventLoopServer> number) {
		return this.servers.stream()
			.map(WeakReference::get)
			.filter(ServerMeters::isRunning)
			.mapToLong((server) -> number.applyAsLong(Objects.requireNonNull(server)))
			.sum();
	}

	long bufferedBytes() {
		return sum(EventLoopServer::getBufferedBytes);
	}

	long maxBufferedBytes() {
		return sum(EventLoopServer::getMaxBufferedBytes);
	}

	long pendingTasks(int loop) {
		// a loop may be left from a server that had more
		return sum((server) -> (loop < server.getWorkers()) ? server.getPendingTasks(loop) : 0);
	}

	CallExecutor.@Nullable Pool pool() {
		CallExecutor current = (this.executor != null) ? this.executor.get() : null;
		return (current != null) ? current.pool() : null;
	}

}
