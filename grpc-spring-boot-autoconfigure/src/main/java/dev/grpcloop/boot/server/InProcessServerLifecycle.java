package dev.grpcloop.boot.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.executor.CallExecutor;
import io.grpc.Server;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * Starts an in-process server with the application context and stops it with it, in the
 * phase of the server on the network and at the same time.
 */
public final class InProcessServerLifecycle extends GrpcServerLifecycle implements DisposableBean {

	/** How long calls that were cancelled may take to end. */
	private static final long CANCELLATION_SECONDS = 10;

	private static final Log logger = LogFactory.getLog(InProcessServerLifecycle.class);

	private final InProcessServerFactory factory;

	private final Duration gracePeriod;

	private final ApplicationEventPublisher events;

	private final Object monitor = new Object();

	private volatile @Nullable Run running;

	/**
	 * The lifecycle of the servers that a factory makes.
	 * @param factory makes them
	 * @param gracePeriod how long calls may go on when a server stops; negative for as
	 * long as they take
	 * @param events where events are published
	 */
	public InProcessServerLifecycle(InProcessServerFactory factory, Duration gracePeriod,
			ApplicationEventPublisher events) {
		super(factory, gracePeriod, events);
		this.factory = factory;
		this.gracePeriod = gracePeriod;
		this.events = events;
	}

	/** The phase of {@link EventLoopGrpcServerLifecycle}. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1024;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

	/**
	 * There is none.
	 * @return -1 while the server runs, else 0
	 */
	@Override
	public int getPort() {
		return isRunning() ? -1 : 0;
	}

	@Override
	public void start() {
		synchronized (this.monitor) {
			if (this.running != null) {
				return;
			}
			Run run = startServer();
			this.running = run;
			try {
				logger.info("In-process gRPC server started with the name " + this.factory.name());
				this.events.publishEvent(new GrpcServerStartedEvent(this, run.server(), this.factory.name(), -1));
			}
			catch (RuntimeException | Error ex) {
				this.running = null;
				run.end(Duration.ZERO);
				throw ex;
			}
			run.keepAlive();
		}
	}

	private Run startServer() {
		CallExecutor executor = this.factory.createExecutor();
		try {
			return new Run(this.factory.createServer(executor).start(), executor);
		}
		catch (IOException ex) {
			executor.close();
			throw new FailureAnalyzedException(
					"The in-process gRPC server could not start with the name '" + this.factory.name() + "': "
							+ ex.getMessage() + ".",
					"Set grpc.server.inprocess.name to a name that no other server of this Java virtual machine has.",
					ex);
		}
		catch (RuntimeException | Error ex) {
			executor.close();
			throw ex;
		}
	}

	@Override
	public void stop() {
		Run run = beginStop();
		if (run != null) {
			finishStop(run);
		}
	}

	@Override
	public void stop(Runnable callback) {
		Run run = beginStop();
		if (run == null) {
			callback.run();
			return;
		}
		Lifecycles.finishInBackground(() -> finishStop(run), callback);
	}

	private @Nullable Run beginStop() {
		Run run;
		synchronized (this.monitor) {
			run = this.running;
			this.running = null;
		}
		if (run != null) {
			Lifecycles.publishSafely(this.events, new GrpcServerShutdownEvent(this, run.server()));
			run.server().shutdown();
		}
		return run;
	}

	private void finishStop(Run run) {
		run.end(this.gracePeriod);
		Lifecycles.publishSafely(this.events, new GrpcServerTerminatedEvent(this, run.server()));
	}

	/** Ends what a failed refresh has left. */
	@Override
	public void destroy() {
		synchronized (this.monitor) {
			Run run = this.running;
			if (run != null) {
				this.running = null;
				run.end(Duration.ZERO);
			}
		}
	}

	/** One server, and what lives as long. */
	private record Run(Server server, CallExecutor executor) {

		/** Keeps an application running that has no other server. */
		void keepAlive() {
			Lifecycles.keepAlive(this.server, "grpc-server-await-in-process");
		}

		void end(Duration gracePeriod) {
			try {
				this.server.shutdown();
				if (gracePeriod.isNegative()) {
					this.server.awaitTermination();
				}
				else {
					this.server.awaitTermination(TimeUnit.NANOSECONDS.convert(gracePeriod), TimeUnit.NANOSECONDS);
				}
				this.server.shutdownNow();
				this.server.awaitTermination(CANCELLATION_SECONDS, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				this.server.shutdownNow();
				Thread.currentThread().interrupt();
			}
			finally {
				this.executor.close();
			}
		}

	}

}
