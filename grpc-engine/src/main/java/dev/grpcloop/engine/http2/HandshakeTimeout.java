package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;

/**
 * Ends a connection whose peer does not begin: with the preface and SETTINGS (RFC 9113
 * section 3.4), and with the acknowledgement of the server's (section 6.5.3). Before the
 * preface nothing is said, since nobody knows what the peer speaks (case B42); after it
 * the connection works, and the peer hears SETTINGS_TIMEOUT.
 * <p>
 * Owned by the event loop.
 */
final class HandshakeTimeout implements ConnectionTimer.Duty {

	private final Http2Connection connection;

	private final ConnectionTimer timer;

	private final long limitNanos;

	private long acceptedNanos;

	HandshakeTimeout(EventLoop eventLoop, Http2Connection connection) {
		this.connection = connection;
		this.timer = new ConnectionTimer(eventLoop, this);
		this.limitNanos = connection.policy().life().handshakeNanos();
	}

	void accepted() {
		this.acceptedNanos = this.connection.nanoTime();
		this.timer.start();
	}

	/**
	 * The peer acknowledges SETTINGS, after its own: the handshake is done.
	 */
	void acknowledged() {
		this.timer.stop();
		long nanos = this.connection.batch().nanos() - this.acceptedNanos;
		this.connection.telemetry().handshakeCompleted(Math.max(0, nanos));
	}

	void stop() {
		this.timer.stop();
	}

	@Override
	public long remainingNanos() {
		return (this.limitNanos == ConnectionLife.NEVER) ? ConnectionLife.NEVER
				: this.acceptedNanos + this.limitNanos - this.connection.nanoTime();
	}

	@Override
	public void timeIsUp() {
		String limit = TimeUnit.NANOSECONDS.toMillis(this.limitNanos) + " ms";
		if (this.connection.closing().isHandshakeDone()) {
			this.connection.errors()
				.tripped(Guard.HANDSHAKE_TIMEOUT, Http2Error.SETTINGS_TIMEOUT,
						AbuseException.debugData(Guard.HANDSHAKE_TIMEOUT,
								"no SETTINGS, or no acknowledgement of the server's, within " + limit));
		}
		else {
			this.connection.errors()
				.abandon(Guard.HANDSHAKE_TIMEOUT, "the client has sent no HTTP/2 preface within " + limit);
		}
	}

}
