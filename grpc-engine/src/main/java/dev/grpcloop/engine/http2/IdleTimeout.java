package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.telemetry.CloseReason;
import io.netty.channel.EventLoop;

/**
 * Ends a connection that has had no call for some time (gRPC A9), so that no call is
 * lost: one that the peer begins in that moment is served. A connection that never had a
 * call counts from its handshake.
 * <p>
 * Owned by the event loop.
 */
final class IdleTimeout implements ConnectionTimer.Duty {

	private static final byte[] REASON = "max_idle".getBytes(StandardCharsets.US_ASCII);

	private final Http2Connection connection;

	private final ConnectionTimer timer;

	private final long limitNanos;

	private long sinceNanos;

	IdleTimeout(EventLoop eventLoop, Http2Connection connection) {
		this.connection = connection;
		this.timer = new ConnectionTimer(eventLoop, this);
		this.limitNanos = connection.policy().life().maxIdleNanos();
	}

	void handshakeDone() {
		lastCallEnded();
		this.timer.start();
	}

	void lastCallEnded() {
		if (this.limitNanos != ConnectionLife.NEVER) {
			this.sinceNanos = this.connection.nanoTime();
		}
	}

	void stop() {
		this.timer.stop();
	}

	/**
	 * While there is a call the time has not begun, and is not up before all of it has
	 * passed.
	 */
	@Override
	public long remainingNanos() {
		if (this.limitNanos == ConnectionLife.NEVER || !this.connection.streams().isEmpty()) {
			return this.limitNanos;
		}
		return this.sinceNanos + this.limitNanos - this.connection.nanoTime();
	}

	@Override
	public void timeIsUp() {
		this.connection.retire(CloseReason.IDLE, REASON);
	}

}
