package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What was flushed and waits for the socket to take it: counts it against the memory, and
 * notices when the socket takes nothing for too long (case B38 c).
 * <p>
 * While bytes wait, a timer looks four times in the time that the peer has. Each byte
 * that the socket takes is progress, so a large backlog may drain as slowly as it likes.
 * While nothing waits there is no timer. Owned by the event loop.
 */
final class SocketBacklog {

	private static final int LOOKS = 4;

	private final Channel channel;

	private final EventLoop eventLoop;

	private final FrameWriter frames;

	private final ConnectionMemory memory;

	private final long stallNanos;

	private final Runnable stalled;

	/** What the memory was told. */
	private long counted;

	private @Nullable Future<?> timer;

	/** How many buffers the socket had taken whole when the timer looked last. */
	private long taken;

	/** How much of the next one. */
	private long takenOfNext;

	private int looksWithoutProgress;

	SocketBacklog(Channel channel, FrameWriter frames, ConnectionMemory memory, long stallNanos, Runnable stalled) {
		this.channel = channel;
		this.eventLoop = channel.eventLoop();
		this.frames = frames;
		this.memory = memory;
		this.stallNanos = stallNanos;
		this.stalled = stalled;
	}

	/**
	 * Looks at what waits now. Called when all was flushed.
	 * @return how many bytes
	 */
	long measure() {
		ChannelOutboundBuffer buffer = this.channel.unsafe().outboundBuffer();
		long waiting = (buffer != null) ? buffer.totalPendingWriteBytes() : 0;
		if (waiting != this.counted) {
			this.memory.add(waiting - this.counted);
			this.counted = waiting;
		}
		if (waiting > 0 && this.timer == null) {
			this.looksWithoutProgress = 0;
			noteProgress(buffer);
			schedule();
		}
		return waiting;
	}

	private void schedule() {
		this.timer = this.eventLoop.schedule(this::look, Math.max(1, this.stallNanos / LOOKS), TimeUnit.NANOSECONDS);
	}

	private void look() {
		this.timer = null;
		ChannelOutboundBuffer buffer = this.channel.unsafe().outboundBuffer();
		if (buffer == null || buffer.isEmpty()) {
			measure();
			return;
		}
		this.looksWithoutProgress = noteProgress(buffer) ? 0 : this.looksWithoutProgress + 1;
		if (this.looksWithoutProgress == LOOKS) {
			this.stalled.run();
			return;
		}
		schedule();
		measure();
	}

	/**
	 * Returns whether the socket has taken anything since the last time.
	 */
	private boolean noteProgress(ChannelOutboundBuffer buffer) {
		long before = this.taken;
		long beforeOfNext = this.takenOfNext;
		this.taken = this.frames.buffersWritten() - buffer.size();
		this.takenOfNext = buffer.currentProgress();
		return this.taken != before || this.takenOfNext != beforeOfNext;
	}

	/**
	 * The channel is closed.
	 */
	void close() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
		this.memory.add(-this.counted);
		this.counted = 0;
	}

}
