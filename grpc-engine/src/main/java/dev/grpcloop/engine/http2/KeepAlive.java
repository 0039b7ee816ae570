package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.channel.EventLoop;

/**
 * Pings a peer that has been silent, and gives it up if it stays so (gRPC A9, case B40 e
 * and f). Any byte of the peer is a life sign, whether it answers the ping or not. It
 * pings without calls too, as a connection of a peer that is gone is of no use.
 *
 * <pre>
 * LISTENING --silent for the time--> PINGED --silent for the timeout--> given up
 *     ^                                |
 *     +-------------any byte-----------+
 * </pre>
 *
 * Owned by the event loop.
 */
final class KeepAlive implements ConnectionTimer.Duty {

	/** Not that of {@link ConnectionClose}. */
	static final long PING = 0x6b656570616c6976L;

	private final Http2Connection connection;

	private final ConnectionTimer timer;

	private final long timeNanos;

	private final long timeoutNanos;

	private long heardNanos;

	private boolean pinged;

	private long pingedNanos;

	KeepAlive(EventLoop eventLoop, Http2Connection connection) {
		this.connection = connection;
		this.timer = new ConnectionTimer(eventLoop, this);
		this.timeNanos = connection.policy().life().keepAliveNanos();
		this.timeoutNanos = connection.policy().life().keepAliveTimeoutNanos();
	}

	void accepted() {
		this.heardNanos = this.connection.nanoTime();
	}

	/**
	 * The preface, which has been {@linkplain #heard heard}, is complete.
	 */
	void handshakeDone() {
		this.timer.start();
	}

	/**
	 * The peer has sent something.
	 */
	void heard(long nanos) {
		this.heardNanos = nanos;
		if (this.pinged) {
			this.pinged = false;
			this.timer.stop();
			this.timer.start();
		}
	}

	/**
	 * For how long the peer has sent nothing.
	 */
	long silentNanos() {
		return Math.max(0, this.connection.nanoTime() - this.heardNanos);
	}

	void stop() {
		this.timer.stop();
	}

	@Override
	public long remainingNanos() {
		if ((this.pinged ? this.timeoutNanos : this.timeNanos) == ConnectionLife.NEVER) {
			return ConnectionLife.NEVER;
		}
		long due = this.pinged ? this.pingedNanos + this.timeoutNanos : this.heardNanos + this.timeNanos;
		return due - this.connection.nanoTime();
	}

	@Override
	public void timeIsUp() {
		if (this.connection.closing().isClosing()) {
			return;
		}
		if (this.pinged) {
			this.connection.errors()
				.abandon(Guard.KEEPALIVE_TIMEOUT, "the client gives no life sign, though it was pinged");
			return;
		}
		this.pinged = true;
		this.pingedNanos = this.connection.nanoTime();
		this.connection.frames().ping(false, PING);
		this.connection.wrote();
		this.timer.start();
	}

}
