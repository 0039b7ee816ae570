package dev.grpcloop.boot.server;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import dev.grpcloop.boot.server.EventLoopGrpcServerFactory.PreparedServer;
import dev.grpcloop.engine.EventLoopServer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * Starts a server with the application context and stops it with it.
 * <p>
 * Every start makes a new server. The server stops in the phase in which web servers
 * drain, and at the same time: {@link #stop(Runnable)} returns once the clients have been
 * told, and the calls end on a thread of their own. A stop goes in this order:
 * <ol>
 * <li>health says NOT_SERVING, and {@link GrpcServerShutdownEvent} is published;
 * <li>new calls are served for the drain delay;
 * <li>the server no longer listens, and its clients are told to go;
 * <li>calls go on until they end, at most for the grace period;
 * <li>those that are left are cancelled, and {@link GrpcServerTerminatedEvent} is
 * published.
 * </ol>
 */
public final class EventLoopGrpcServerLifecycle extends GrpcServerLifecycle implements DisposableBean {

	/** The phase of Spring Boot's {@code WebServerGracefulShutdownLifecycle}. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

	private static final Log logger = LogFactory.getLog(EventLoopGrpcServerLifecycle.class);

	private final EventLoopGrpcServerFactory factory;

	private final ShutdownTimes times;

	private final ServerHealth health;

	private final ApplicationContext context;

	/** Guards starts and the begin of stops; reading needs no lock. */
	private final Object monitor = new Object();

	private volatile @Nullable ServerRun running;

	/**
	 * What a stop has not ended yet. The stop takes it away without the monitor: the
	 * start that holds it may be the one that waits, in a listener that closes the
	 * context.
	 */
	private final AtomicReference<@Nullable ServerRun> draining = new AtomicReference<>();

	/**
	 * The lifecycle of the servers that a factory makes.
	 * @param factory makes them
	 * @param times how long a stop takes
	 * @param health what clients are told of the server's health
	 * @param context where events and the port are published
	 */
	public EventLoopGrpcServerLifecycle(EventLoopGrpcServerFactory factory, ShutdownTimes times, ServerHealth health,
			ApplicationContext context) {
		super(factory, times.gracePeriod(), context);
		this.factory = factory;
		this.times = times;
		this.health = health;
		this.context = context;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A test context that is cached and paused keeps its server: its port must not
	 * change.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

	@Override
	public int getPort() {
		ServerRun run = this.running;
		return (run != null) ? run.server().getPort() : 0;
	}

	/**
	 * Returns the server for those who show it. Takes no lock, so that it can be asked
	 * while a start or a stop takes its time.
	 * @return the server that runs or drains, or {@code null} if there is none
	 */
	public @Nullable ObservedServer observe() {
		ServerRun run = this.running;
		if (run != null) {
			return new ObservedServer(run, false);
		}
		ServerRun last = this.draining.get();
		return (last != null) ? new ObservedServer(last, true) : null;
	}

	@Override
	public void start() {
		synchronized (this.monitor) {
			if (this.running != null) {
				return;
			}
			abortDraining();
			String warning = this.times.warning(this.factory.mode());
			if (warning != null) {
				logger.warn(warning);
			}
			ServerRun run = startServer();
			this.running = run;
			try {
				announce(run);
			}
			catch (RuntimeException | Error ex) {
				this.running = null;
				run.abort();
				throw ex;
			}
			run.keepAlive();
			if (isRunning()) {
				this.health.started();
			}
		}
	}

	private ServerRun startServer() {
		PreparedServer prepared = this.factory.prepare();
		try {
			return ServerRun.start(prepared, () -> this.health.starting(names(prepared.server())));
		}
		catch (IOException ex) {
			throw BindFailure.of(prepared.address(), this.factory.mode(), ex);
		}
	}

	private static Set<String> names(EventLoopServer server) {
		return server.getServices()
			.stream()
			.map((service) -> service.getServiceDescriptor().getName())
			.collect(Collectors.toSet());
	}

	private void announce(ServerRun run) {
		EventLoopServer server = run.server();
		if (server.getPort() > 0) {
			LocalServerPort.publish(this.context, server.getPort());
		}
		logger.info(StartMessage.of(run));
		String address = ServerAddress.format(server.getListenSockets());
		this.context.publishEvent(new GrpcServerStartedEvent(this, server, address, server.getPort()));
	}

	@Override
	public void stop() {
		ServerRun run = beginStop();
		if (run != null) {
			finishStop(run);
		}
	}

	@Override
	public void stop(Runnable callback) {
		ServerRun run = beginStop();
		if (run == null) {
			callback.run();
			return;
		}
		Lifecycles.finishInBackground(() -> finishStop(run), callback);
	}

	private @Nullable ServerRun beginStop() {
		ServerRun run;
		synchronized (this.monitor) {
			run = this.running;
			if (run == null) {
				return null;
			}
			this.running = null;
			this.draining.set(run);
		}
		tellHealth();
		Lifecycles.publishSafely(this.context, new GrpcServerShutdownEvent(this, run.server()));
		if (this.times.drainDelay().isZero()) {
			run.beginShutdown();
		}
		return run;
	}

	/** A client that is gone must not keep the server from stopping. */
	private void tellHealth() {
		try {
			this.health
				.stopping(this.context instanceof ConfigurableApplicationContext closeable && closeable.isClosed());
		}
		catch (RuntimeException ex) {
			logger.warn("Not all who watch the server's health were told that it stops", ex);
		}
	}

	private void finishStop(ServerRun run) {
		if (!this.times.drainDelay().isZero()) {
			logger.info("gRPC server stops: it goes on serving for " + this.times.drainDelay()
					+ " (grpc.server.shutdown.drain-delay)");
			run.drain(this.times.drainDelay());
			run.beginShutdown();
		}
		run.finishShutdown(this.times);
		logger.info("gRPC server stopped");
		Lifecycles.publishSafely(this.context, new GrpcServerTerminatedEvent(this, run.server()));
		this.draining.compareAndSet(run, null);
	}

	/**
	 * Ends what is left where the context has not waited for the stop, or where its
	 * refresh failed.
	 */
	@Override
	public void destroy() {
		synchronized (this.monitor) {
			ServerRun run = this.running;
			if (run != null) {
				run.abort();
				this.running = null;
			}
			abortDraining();
		}
	}

	private void abortDraining() {
		ServerRun run = this.draining.getAndSet(null);
		if (run != null) {
			run.abort();
		}
	}

}
