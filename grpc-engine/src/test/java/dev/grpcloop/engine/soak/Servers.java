package dev.grpcloop.engine.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.Backend;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.http2.AbuseLimits;

/**
 * The servers of a soak: one with its services on the loop, one with them off it, and one
 * that is restarted again and again, in either mode in turn.
 */
final class Servers implements AutoCloseable {

	private static final int PATIENCE_SECONDS = 30;

	/** The clients cancel more than any that means well. */
	private static final AbuseLimits LIMITS = new AbuseLimits(AbuseLimits.DEFAULT.periodNanos(), Integer.MAX_VALUE / 2,
			AbuseLimits.DEFAULT.protocolFaults(), AbuseLimits.DEFAULT.settings(), AbuseLimits.DEFAULT.controlFrames(),
			AbuseLimits.DEFAULT.emptyFrames(), AbuseLimits.DEFAULT.tinyFrames(),
			AbuseLimits.DEFAULT.smallContinuations());

	private final Backend backend;

	private final ScriptedService service;

	private final Gauges gauges;

	private final EventLoopServer onLoop;

	private final EventLoopServer offLoop;

	private final int restartedPort;

	private EventLoopServer restarted;

	private int restarts;

	Servers(Backend backend, Ledger ledger, ScheduledExecutorService timer, Gauges gauges) throws IOException {
		this.backend = backend;
		this.service = new ScriptedService(ledger, timer);
		this.gauges = gauges;
		this.onLoop = start(0, true);
		this.offLoop = start(0, false);
		this.restarted = start(0, false);
		this.restartedPort = this.restarted.getPort();
	}

	private EventLoopServer start(int port, boolean onLoop) throws IOException {
		EventLoopServerBuilder builder = EventLoopServerBuilder
			.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
			.backend(this.backend)
			.workers(1)
			.telemetry(this.gauges)
			.maxConnectionAge(700, TimeUnit.MILLISECONDS)
			.abuseLimits(LIMITS)
			.addService(this.service.definition());
		if (onLoop) {
			builder.directExecutor();
		}
		return builder.build().start();
	}

	/**
	 * Returns the port of one of the servers that stay.
	 */
	int steadyPort(boolean onLoop) {
		return (onLoop ? this.onLoop : this.offLoop).getPort();
	}

	int restartedPort() {
		return this.restartedPort;
	}

	/**
	 * Shuts a server down, lets its calls finish, and starts another in its place. Not on
	 * two threads.
	 */
	void restart() {
		try {
			this.restarted.shutdown();
			if (!this.restarted.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("the server does not end");
			}
			this.restarts++;
			this.restarted = start(this.restartedPort, this.restarts % 2 == 0);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException("the server was not restarted", ex);
		}
	}

	/**
	 * Ends all servers in good order.
	 */
	void end() throws InterruptedException {
		for (EventLoopServer server : new EventLoopServer[] { this.onLoop, this.offLoop, this.restarted }) {
			server.shutdown();
			if (!server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new AssertionError("the server does not end");
			}
		}
	}

	@Override
	public void close() {
		this.onLoop.shutdownNow();
		this.offLoop.shutdownNow();
		this.restarted.shutdownNow();
	}

}
