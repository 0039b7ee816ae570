package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

import dev.grpcloop.engine.telemetry.CloseReason;
import io.netty.channel.EventLoop;

/**
 * Ends a connection that has become too old (gRPC A9): it takes no more calls, and those
 * that run have the grace to end. The age is drawn for each connection, a tenth more or
 * less, so that clients that came together do not all come back together.
 * <p>
 * Owned by the event loop.
 */
final class AgeLimit implements ConnectionTimer.Duty {

	private static final byte[] REASON = "max_age".getBytes(StandardCharsets.US_ASCII);

	private final Http2Connection connection;

	private final ConnectionTimer timer;

	private final long graceNanos;

	/** How long the connection has until {@link #timeIsUp()}, from {@link #fromNanos}. */
	private long limitNanos;

	private long fromNanos;

	private boolean retired;

	AgeLimit(EventLoop eventLoop, Http2Connection connection) {
		this.connection = connection;
		this.timer = new ConnectionTimer(eventLoop, this);
		this.limitNanos = jittered(connection.policy().life().maxAgeNanos(), ThreadLocalRandom.current().nextDouble());
		this.graceNanos = connection.policy().life().ageGraceNanos();
	}

	/**
	 * Returns an age from nine to eleven tenths of another.
	 * @param random 0 to 1
	 */
	static long jittered(long nanos, double random) {
		if (nanos > ConnectionLife.NEVER / 2) {
			return nanos;
		}
		return nanos - nanos / 10 + (long) (nanos / 5 * random);
	}

	/**
	 * Before its handshake the connection has the time of that.
	 */
	void handshakeDone() {
		this.fromNanos = this.connection.nanoTime();
		this.timer.start();
	}

	void stop() {
		this.timer.stop();
	}

	@Override
	public long remainingNanos() {
		return (this.limitNanos == ConnectionLife.NEVER) ? ConnectionLife.NEVER
				: this.fromNanos + this.limitNanos - this.connection.nanoTime();
	}

	@Override
	public void timeIsUp() {
		if (this.retired) {
			this.connection.cutOff("The connection has become too old, and its grace is over");
			return;
		}
		this.retired = true;
		this.connection.retire(CloseReason.AGE, REASON);
		this.limitNanos = this.graceNanos;
		this.fromNanos = this.connection.nanoTime();
		this.timer.start();
	}

}
