package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.channel.EventLoop;

/**
 * Ends a connection whose peer begins a header block, or a frame, and does not complete
 * it (case B36 f): what has come of it takes memory, and until it is complete no other
 * stream goes on. Each frame and each block has the time anew, so an upload may take as
 * long as it likes.
 * <p>
 * Owned by the event loop.
 */
final class HeadersTimeout implements ConnectionTimer.Duty {

	private final Http2Connection connection;

	private final ConnectionTimer timer;

	private final long limitNanos;

	private boolean inFrame;

	private long frameNanos;

	private boolean inBlock;

	private long blockNanos;

	HeadersTimeout(EventLoop eventLoop, Http2Connection connection) {
		this.connection = connection;
		this.timer = new ConnectionTimer(eventLoop, this);
		this.limitNanos = connection.policy().life().headersNanos();
	}

	/**
	 * A frame has come in part.
	 */
	void frameBegun(long nanos) {
		this.inFrame = true;
		this.frameNanos = nanos;
		this.timer.start();
	}

	void frameEnded() {
		this.inFrame = false;
	}

	/**
	 * A header block is not at its end. It has the time from its first frame on.
	 */
	void blockIsOpen(long nanos) {
		if (!this.inBlock) {
			this.inBlock = true;
			this.blockNanos = nanos;
			this.timer.start();
		}
	}

	void blockEnded() {
		this.inBlock = false;
	}

	void stop() {
		this.timer.stop();
	}

	@Override
	public long remainingNanos() {
		if (this.limitNanos == ConnectionLife.NEVER) {
			return ConnectionLife.NEVER;
		}
		long now = this.connection.nanoTime();
		long frame = this.inFrame ? this.frameNanos + this.limitNanos - now : ConnectionLife.NEVER;
		long block = this.inBlock ? this.blockNanos + this.limitNanos - now : ConnectionLife.NEVER;
		return Math.min(frame, block);
	}

	@Override
	public void timeIsUp() {
		String limit = TimeUnit.NANOSECONDS.toMillis(this.limitNanos) + " ms";
		this.connection.errors()
			.tripped(Guard.HEADERS_TIMEOUT, "a header block or a frame was not completed within " + limit);
	}

}
