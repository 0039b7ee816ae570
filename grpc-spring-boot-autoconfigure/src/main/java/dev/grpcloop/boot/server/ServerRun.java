package dev.grpcloop.boot.server;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.executor.CallExecutor;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory.PreparedServer;
import dev.grpcloop.engine.EventLoopServer;
import org.jspecify.annotations.Nullable;

/**
 * One server from its start to its end, together with what lives as long: its executor
 * and the thread that keeps the application up.
 */
final class ServerRun {

	/** How long calls that were cancelled may take to leave the event loops. */
	private static final long CANCELLATION_SECONDS = 10;

	private final EventLoopServer server;

	private final CallExecutor executor;

	private final ServerMode mode;

	private volatile ObservedServer.@Nullable Start start;

	private ServerRun(PreparedServer prepared) {
		this.server = prepared.server();
		this.executor = prepared.executor();
		this.mode = prepared.mode();
	}

	/**
	 * Starts a server. If that fails, nothing of it is left.
	 * @param prepared the server
	 * @param before what is to be done before it listens
	 * @return the running server
	 * @throws IOException if it cannot listen
	 */
	static ServerRun start(PreparedServer prepared, Runnable before) throws IOException {
		ServerRun run = new ServerRun(prepared);
		try {
			before.run();
			run.server.start();
			run.start = new ObservedServer.Start(Instant.now(), ServerAddress.list(run.server.getListenSockets()));
			return run;
		}
		catch (IOException | RuntimeException | Error ex) {
			run.abort();
			throw ex;
		}
	}

	EventLoopServer server() {
		return this.server;
	}

	CallExecutor executor() {
		return this.executor;
	}

	ServerMode mode() {
		return this.mode;
	}

	/**
	 * Returns when the server was started.
	 * @return never {@code null} for a run that {@link #start} has returned
	 */
	ObservedServer.Start startOf() {
		return Objects.requireNonNull(this.start);
	}

	/**
	 * Keeps the Java virtual machine running for as long as the server does, in an
	 * application without a web server.
	 */
	void keepAlive() {
		Lifecycles.keepAlive(this.server, "grpc-server-await");
	}

	/**
	 * Goes on serving for a while; less, if the server is ended meanwhile or the thread
	 * is interrupted.
	 * @param delay how long
	 */
	void drain(Duration delay) {
		try {
			await(delay);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void await(Duration time) throws InterruptedException {
		this.server.awaitTermination(TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS);
	}

	/**
	 * Tells the clients to go.
	 */
	void beginShutdown() {
		this.server.shutdown();
	}

	/**
	 * Waits for the calls, then ends the server.
	 * @param times how long the calls may go on
	 */
	void finishShutdown(ShutdownTimes times) {
		try {
			if (times.isGraceUnlimited()) {
				this.server.awaitTermination();
			}
			else if (!times.gracePeriod().isZero()) {
				await(times.gracePeriod());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			abort();
		}
	}

	/**
	 * Cancels the calls that still run and ends the server.
	 */
	void abort() {
		try {
			this.server.shutdownNow();
			this.server.awaitTermination(CANCELLATION_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.executor.close();
		}
	}

}
