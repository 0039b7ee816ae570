package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection's channel: what was written is flushed, the output ended, and
 * the input read until the peer has ended its own. To close with unread bytes, or before
 * the last ones come, would make TCP throw away answers that are still on their way.
 * <p>
 * A peer that takes nothing for {@value #FLUSH_SECONDS} s is not waited for, nor one that
 * has all answers and sends nothing for {@value #LINGER_SECONDS} s; one that does has a
 * number of these spans, and no more bytes than its credit. Owned by the event loop.
 */
final class ChannelEnd {

	private static final int FLUSH_SECONDS = 5;

	private static final int MOST_FLUSH_SPANS = 12;

	private static final int LINGER_SECONDS = 1;

	private static final int MOST_LINGER_SPANS = 10;

	/** What a peer may send without credit in a moment: some pings, settings, resets. */
	private static final int FRAMES_WITHOUT_CREDIT = 64 * 1024;

	private final ChannelHandlerContext ctx;

	/** How much an honest peer has on its way at most. */
	private final long mostIgnored;

	private long ignored;

	private @Nullable Future<?> timer;

	/** How many spans of the same kind may still follow. */
	private int spans;

	private long waiting;

	private boolean heard;

	/**
	 * Creates the end of a channel.
	 * @param window the connection's flow-control window, in bytes
	 */
	ChannelEnd(ChannelHandlerContext ctx, int window) {
		this.ctx = ctx;
		this.mostIgnored = (long) window + FRAMES_WITHOUT_CREDIT;
	}

	/**
	 * Begins the end. Nothing may be written after it.
	 * @param linger whether to wait for the peer's end
	 * @param patient whether the peer may be slow to read answers
	 */
	void begin(boolean linger, boolean patient) {
		ChannelFuture last = this.ctx.writeAndFlush(Unpooled.EMPTY_BUFFER);
		if (!last.isDone()) {
			this.spans = MOST_FLUSH_SPANS;
			awaitFlush();
		}
		last.addListener((flushed) -> {
			cancelTimer();
			if (flushed.isSuccess() && linger) {
				endOutput(patient);
			}
			else {
				this.ctx.close();
			}
		});
	}

	private void awaitFlush() {
		this.waiting = waiting();
		schedule(FLUSH_SECONDS, () -> {
			if (waiting() < this.waiting && --this.spans > 0) {
				awaitFlush();
			}
			else {
				this.ctx.close();
			}
		});
	}

	/**
	 * How much the socket has not taken. Of the first buffer it may have taken a part.
	 */
	private long waiting() {
		ChannelOutboundBuffer outbound = this.ctx.channel().unsafe().outboundBuffer();
		if (outbound == null) {
			return 0;
		}
		long first = (outbound.current() instanceof ByteBuf buffer) ? buffer.readableBytes() : 0;
		return outbound.totalPendingWriteBytes() + first;
	}

	private void endOutput(boolean patient) {
		Channel channel = this.ctx.channel();
		if (channel instanceof DuplexChannel duplex && channel.isActive()) {
			duplex.shutdownOutput();
			this.spans = patient ? MOST_LINGER_SPANS : 1;
			awaitPeer();
		}
		else {
			this.ctx.close();
		}
	}

	private void awaitPeer() {
		this.heard = false;
		schedule(LINGER_SECONDS, () -> {
			if (this.heard && --this.spans > 0) {
				awaitPeer();
			}
			else {
				this.ctx.close();
			}
		});
	}

	/**
	 * The peer still sends, perhaps because it still reads. One that sends more than it
	 * has credit for goes on with what it was cut off for, and is not listened to.
	 */
	void heard(int bytes) {
		this.heard = true;
		this.ignored += bytes;
		if (this.ignored > this.mostIgnored) {
			this.ctx.close();
		}
	}

	private void schedule(int seconds, Runnable look) {
		this.timer = this.ctx.channel().eventLoop().schedule(look, seconds, TimeUnit.SECONDS);
	}

	/**
	 * The channel is closed.
	 */
	void cancelTimer() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
