package dev.grpcloop.engine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.LoopWatchdog;
import dev.grpcloop.engine.call.MethodRegistry;
import dev.grpcloop.engine.http2.ConnectionPolicy;
import dev.grpcloop.engine.http2.MemoryBudget;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import io.grpc.Context;
import io.grpc.HandlerRegistry;
import io.grpc.InternalServer;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerServiceDefinition;
import io.netty.channel.Channel;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC server on Netty event loops. Made by {@link EventLoopServerBuilder}, started
 * once.
 *
 * <pre>
 * NEW --start--> RUNNING --shutdown--> SHUTDOWN --all connections closed--> TERMINATED
 *  |                                                                            ^
 *  +--------------------------------shutdown-----------------------------------+
 * </pre>
 */
public final class EventLoopServer extends Server {

	private static final System.Logger LOGGER = System.getLogger(EventLoopServer.class.getName());

	private final ServerSettings settings;

	private final MethodRegistry registry;

	private final MemoryBudget memory;

	private final CountDownLatch terminated = new CountDownLatch(1);

	private final Connections connections = new Connections(this::terminateIfEmpty);

	private final Object lock = new Object();

	// guarded by lock

	private State state = State.NEW;

	private List<Channel> listeners = List.of();

	private @Nullable ExecutorService ownedExecutor;

	private @Nullable WatchdogThread watchdog;

	private int openListeners;

	private boolean terminating;

	/** Any thread. */
	private volatile @Nullable EventLoops loops;

	EventLoopServer(ServerSettings settings) {
		this.settings = settings;
		this.memory = new MemoryBudget(settings.maxBufferedBytes());
		this.registry = new MethodRegistry(settings.services(), settings.interceptors(), settings.fallback(),
				settings.onEventLoop());
	}

	/**
	 * Binds all addresses and begins to serve.
	 * @return this server
	 * @throws IOException if an address cannot be bound; nothing is left of the server
	 * then
	 * @throws IllegalStateException if the server was started or shut down before
	 */
	@Override
	public EventLoopServer start() throws IOException {
		synchronized (this.lock) {
			if (this.state != State.NEW) {
				throw new IllegalStateException("The server was started or shut down before; build another one");
			}
			ExecutorTelemetry executorTelemetry = this.settings.telemetry().executor();
			EventLoops loops = new EventLoops(this.settings);
			this.loops = loops;
			CallEnvironment environment = new CallEnvironment(this.registry, executor(),
					this.settings.executorSupplier(), Context.ROOT.withValue(InternalServer.SERVER_CONTEXT_KEY, this),
					this.settings.compressors(), this.settings.decompressors(), this.settings.maxMessageSize(),
					this.settings.maxBufferedPerCall(), this.settings.tracerFactories(), executorTelemetry);
			this.state = State.RUNNING;
			try {
				Listeners binding = new Listeners(this.settings, loops, environment, this.memory, this.connections);
				this.listeners = binding.bind();
				startWatchdog(binding);
			}
			catch (IOException | RuntimeException ex) {
				this.state = State.SHUTDOWN;
				// one of the addresses may have been connected to before another failed
				this.connections.shutdownNow();
				terminate();
				throw ex;
			}
			this.openListeners = this.listeners.size();
			for (Channel listener : this.listeners) {
				listener.closeFuture().addListener((closed) -> listenerClosed());
			}
		}
		LOGGER.log(System.Logger.Level.DEBUG, () -> "Listening on " + getListenSockets() + " with "
				+ this.settings.transport().transport().displayName() + ": " + this.settings.transport().reason());
		return this;
	}

	private @Nullable Executor executor() {
		if (this.settings.callersExecutor() != null) {
			return this.settings.callersExecutor();
		}
		if (this.registry.runsOnEventLoopOnly() && this.settings.direct()) {
			return null;
		}
		this.ownedExecutor = Executors.newCachedThreadPool(new DefaultThreadFactory("grpc-call"));
		return this.ownedExecutor;
	}

	private void startWatchdog(Listeners binding) {
		if (this.registry.usesEventLoop() && this.settings.blockedThresholdNanos() > 0) {
			this.watchdog = new WatchdogThread(new LoopWatchdog(binding.callLoops(),
					this.settings.blockedThresholdNanos(), this.settings.telemetry()),
					this.settings.blockedThresholdNanos());
			this.watchdog.start();
		}
	}

	/**
	 * Returns the backend in use.
	 * @return never {@link Backend#AUTO}
	 */
	public Backend getBackend() {
		return Backend.of(this.settings.transport().transport());
	}

	/**
	 * Returns why this backend is in use.
	 * @return one sentence
	 */
	public String getBackendReason() {
		return this.settings.transport().reason();
	}

	/**
	 * Returns the number of event loops.
	 * @return at least 1
	 */
	public int getWorkers() {
		return this.settings.workers();
	}

	/**
	 * Returns how many tasks wait for an event loop. Any thread may ask; the loop is not
	 * held up by it.
	 * @param loop the index of the loop, from 0
	 * @return how many; 0 before the server is started
	 * @throws IndexOutOfBoundsException if there are not as many
	 * {@linkplain #getWorkers() loops}
	 */
	public int getPendingTasks(int loop) {
		Objects.checkIndex(loop, getWorkers());
		EventLoops loops = this.loops;
		return (loops != null) ? loops.pendingTasks(loop) : 0;
	}

	/**
	 * Returns how many bytes the server holds for its clients: requests that no service
	 * has taken, responses that wait to be sent, and what connections and open calls cost
	 * by themselves.
	 * @return the number of bytes, give or take 32 KiB for each event loop; 0 when all
	 * connections are closed
	 */
	public long getBufferedBytes() {
		return this.memory.used();
	}

	/**
	 * Returns the limit of {@link #getBufferedBytes()}, above which connections get no
	 * more than their fair share; twice as much is never passed by more than what is
	 * being read.
	 * @return the number of bytes
	 * @see EventLoopServerBuilder#maxBufferedBytes(long)
	 */
	public long getMaxBufferedBytes() {
		return this.memory.limit();
	}

	/**
	 * Returns what the server grants the clients of each connection.
	 * @return the limits and times in force
	 */
	public ConnectionPolicy getConnectionPolicy() {
		return this.settings.policy();
	}

	/**
	 * Returns the largest request message that the server takes.
	 * @return the number of bytes
	 * @see EventLoopServerBuilder#maxInboundMessageSize(int)
	 */
	public int getMaxInboundMessageSize() {
		return this.settings.maxMessageSize();
	}

	/**
	 * Returns how many bytes of responses a call may hold unsent.
	 * @return the number of bytes
	 * @see EventLoopServerBuilder#maxBufferedPerCall(int)
	 */
	public int getMaxBufferedPerCall() {
		return this.settings.maxBufferedPerCall();
	}

	/**
	 * Returns how long service code may hold an event loop before somebody is told.
	 * @return the time; zero if nobody looks
	 * @see EventLoopServerBuilder#blockedThreshold(Duration)
	 */
	public Duration getBlockedThreshold() {
		return Duration.ofNanos(this.settings.blockedThresholdNanos());
	}

	/**
	 * Says where a method runs, unless a {@link ServerCallExecutorSupplier} chooses an
	 * executor for the single call.
	 * @param method the method
	 * @return whether on the event loop
	 */
	public boolean runsOnEventLoop(MethodDescriptor<?, ?> method) {
		return this.settings.onEventLoop().test(method);
	}

	/**
	 * Returns the addresses of the clients, one for each open connection.
	 * @return the addresses, in no order
	 */
	public List<SocketAddress> getClientAddresses() {
		return this.connections.remoteAddresses();
	}

	/**
	 * Returns the port of the first TCP address the server listens on.
	 * @return the port that was bound; -1 if the server does not listen on TCP, or not
	 * yet, or no longer
	 */
	@Override
	public int getPort() {
		for (SocketAddress address : getListenSockets()) {
			if (address instanceof InetSocketAddress inet) {
				return inet.getPort();
			}
		}
		return -1;
	}

	/**
	 * Returns the addresses the server listens on.
	 * @return the addresses as bound, with their real ports; empty if the server does not
	 * listen, or no longer
	 */
	@Override
	public List<SocketAddress> getListenSockets() {
		synchronized (this.lock) {
			if (this.state != State.RUNNING) {
				return List.of();
			}
			List<SocketAddress> bound = new ArrayList<>();
			for (Channel listener : this.listeners) {
				SocketAddress address = listener.localAddress();
				if (listener.isOpen() && address != null) {
					bound.add(address);
				}
			}
			return List.copyOf(bound);
		}
	}

	@Override
	public List<ServerServiceDefinition> getServices() {
		List<ServerServiceDefinition> all = new ArrayList<>(getImmutableServices());
		all.addAll(getMutableServices());
		return List.copyOf(all);
	}

	@Override
	public List<ServerServiceDefinition> getImmutableServices() {
		return this.settings.services();
	}

	@Override
	public List<ServerServiceDefinition> getMutableServices() {
		HandlerRegistry fallback = this.settings.fallback();
		return (fallback != null) ? List.copyOf(fallback.getServices()) : List.of();
	}

	/**
	 * Stops accepting connections and calls, tells all clients so, and lets the calls
	 * that run finish. Does not wait.
	 * @return this server
	 */
	@Override
	public EventLoopServer shutdown() {
		stopListening();
		this.connections.shutdown();
		terminateIfEmpty();
		return this;
	}

	/**
	 * Stops accepting connections and cancels all calls. Does not wait.
	 * @return this server
	 */
	@Override
	public EventLoopServer shutdownNow() {
		stopListening();
		this.connections.shutdownNow();
		terminateIfEmpty();
		return this;
	}

	private void stopListening() {
		synchronized (this.lock) {
			if (this.state == State.SHUTDOWN) {
				return;
			}
			this.state = State.SHUTDOWN;
			for (Channel listener : this.listeners) {
				listener.close();
			}
		}
	}

	private void listenerClosed() {
		synchronized (this.lock) {
			this.openListeners--;
		}
		terminateIfEmpty();
	}

	private void terminateIfEmpty() {
		synchronized (this.lock) {
			if (this.state == State.SHUTDOWN && this.openListeners == 0 && this.connections.isEmpty()) {
				terminate();
			}
		}
	}

	private void terminate() {
		if (this.terminating) {
			return;
		}
		this.terminating = true;
		if (this.watchdog != null) {
			this.watchdog.interrupt();
		}
		if (this.ownedExecutor != null) {
			this.ownedExecutor.shutdown();
		}
		EventLoops loops = this.loops;
		if (loops != null) {
			loops.shutdown(this.terminated::countDown);
		}
		else {
			this.terminated.countDown();
		}
	}

	@Override
	public boolean isShutdown() {
		synchronized (this.lock) {
			return this.state == State.SHUTDOWN;
		}
	}

	/**
	 * Whether all connections and listeners are closed and the event loops the server
	 * made have ended.
	 * @return whether they are
	 */
	@Override
	public boolean isTerminated() {
		return this.terminated.getCount() == 0;
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
		return this.terminated.await(timeout, unit);
	}

	@Override
	public void awaitTermination() throws InterruptedException {
		this.terminated.await();
	}

	@Override
	public String toString() {
		return "EventLoopServer[" + getListenSockets() + "]";
	}

	private enum State {

		NEW, RUNNING, SHUTDOWN

	}

}
