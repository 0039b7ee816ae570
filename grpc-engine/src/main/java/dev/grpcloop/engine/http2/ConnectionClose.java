package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2Error;
import org.jspecify.annotations.Nullable;

/**
 * How a connection ends.
 *
 * <pre>
 * OPEN --shutdown--> ANNOUNCED --PING came back--> DRAINING --last stream ended--> CLOSING
 *   |                    GOAWAY(2^31-1), PING        GOAWAY(last stream)             ^
 *   +---------------------------- error ---------------------------------------------+
 * </pre>
 *
 * The two GOAWAY frames (RFC 9113 section 6.8) save the calls that the peer began before
 * it heard of the first. A closing connection flushes, ends its output, and reads until
 * the peer has ended its own: closing with unread bytes would make TCP throw away answers
 * that are still on their way.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionClose {

	private static final long SHUTDOWN_PING = 0x6772706c6f6f70L;

	private static final int PING_TIMEOUT_SECONDS = 10;

	private static final int LINGER_SECONDS = 1;

	private static final int FLUSH_TIMEOUT_SECONDS = 5;

	private static final byte[] NO_DEBUG_DATA = {};

	private final ChannelHandlerContext ctx;

	private final Http2Connection connection;

	private State state = State.OPEN;

	private byte[] reason = NO_DEBUG_DATA;

	private boolean handshakeDone;

	private boolean closeAtEndOfBatch;

	private boolean linger = true;

	private @Nullable Future<?> timer;

	ConnectionClose(ChannelHandlerContext ctx, Http2Connection connection) {
		this.ctx = ctx;
		this.connection = connection;
	}

	/**
	 * The peer's preface has come: it understands GOAWAY.
	 */
	void handshakeDone() {
		this.handshakeDone = true;
	}

	boolean isHandshakeDone() {
		return this.handshakeDone;
	}

	boolean isClosing() {
		return this.state == State.CLOSING;
	}

	/**
	 * Whether a new stream is no longer served: its peer knows that it was not.
	 */
	boolean refusesStreams() {
		return this.state == State.DRAINING || this.state == State.CLOSING;
	}

	/**
	 * Ends the connection when its calls have ended.
	 * @param reason for the peer's log
	 */
	void shutdown(byte[] reason) {
		if (this.state != State.OPEN) {
			return;
		}
		if (!this.handshakeDone) {
			close();
			return;
		}
		this.state = State.ANNOUNCED;
		this.reason = reason;
		goAway(Integer.MAX_VALUE);
		this.connection.frames().ping(false, SHUTDOWN_PING);
		this.timer = this.ctx.channel().eventLoop().schedule(this::drain, PING_TIMEOUT_SECONDS, TimeUnit.SECONDS);
	}

	void onPingAck(long content) {
		if (content == SHUTDOWN_PING) {
			drain();
		}
	}

	private void drain() {
		if (this.state == State.ANNOUNCED) {
			cancelTimer();
			this.state = State.DRAINING;
			goAway(this.connection.lastStreamId());
			this.connection.wrote();
		}
	}

	private void goAway(int lastStreamId) {
		this.connection.frames().goAway(lastStreamId, Http2Error.NO_ERROR.code(), this.reason);
	}

	/**
	 * Closes when the running batch has ended, whatever was announced.
	 */
	void drainAndClose() {
		drain();
		close();
	}

	/**
	 * Closes when the running batch has ended.
	 */
	void close() {
		if (this.state != State.CLOSING) {
			cancelTimer();
			this.state = State.CLOSING;
			this.closeAtEndOfBatch = true;
		}
	}

	/**
	 * Closes when the running batch has ended: the peer would not understand a word.
	 */
	void closeWithoutAWord() {
		this.linger = false;
		close();
	}

	/**
	 * Closes when the running batch has ended, without waiting for the peer.
	 */
	void closeNow() {
		this.linger = false;
		if (this.state == State.CLOSING) {
			this.ctx.close();
			return;
		}
		if (this.handshakeDone) {
			goAway(this.connection.lastStreamId());
		}
		close();
	}

	/**
	 * Closes at once, without telling the peer, who would not read it. Not to be called
	 * within a batch.
	 */
	void abandon() {
		cancelTimer();
		this.state = State.CLOSING;
		this.ctx.close();
	}

	void batchEnded() {
		if (this.state == State.DRAINING && this.connection.streams().isEmpty()) {
			close();
		}
		if (this.closeAtEndOfBatch) {
			this.closeAtEndOfBatch = false;
			this.timer = schedule(FLUSH_TIMEOUT_SECONDS);
			this.ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((flushed) -> endOutput(flushed.isSuccess()));
		}
	}

	private void endOutput(boolean flushed) {
		Channel channel = this.ctx.channel();
		if (flushed && this.linger && channel instanceof DuplexChannel duplex && channel.isActive()) {
			duplex.shutdownOutput();
			cancelTimer();
			this.timer = schedule(LINGER_SECONDS);
		}
		else {
			this.ctx.close();
		}
	}

	private Future<?> schedule(int seconds) {
		return this.ctx.channel().eventLoop().schedule(() -> {
			this.ctx.close();
		}, seconds, TimeUnit.SECONDS);
	}

	void channelClosed() {
		this.state = State.CLOSING;
		this.closeAtEndOfBatch = false;
		cancelTimer();
	}

	private void cancelTimer() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

	private enum State {

		OPEN, ANNOUNCED, DRAINING, CLOSING

	}

}
