package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.CloseReason;
import io.netty.channel.ChannelHandlerContext;
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
 * it heard of the first. How a closing connection closes its channel is
 * {@link ChannelEnd}'s part.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionClose {

	private static final long SHUTDOWN_PING = 0x6772706c6f6f70L;

	private static final int PING_TIMEOUT_SECONDS = 10;

	/** How long a shutdown waits for a preface that may be on its way. */
	private static final int PREFACE_TIMEOUT_SECONDS = 1;

	private static final byte[] NO_DEBUG_DATA = {};

	private final ChannelHandlerContext ctx;

	private final Http2Connection connection;

	private final ChannelEnd end;

	private State state = State.OPEN;

	private byte[] reason = NO_DEBUG_DATA;

	private boolean handshakeDone;

	private boolean shutdown;

	private boolean closeAtEndOfBatch;

	private boolean linger = true;

	/** The answers to calls that ended well may still be on their way. */
	private boolean patient;

	private @Nullable Future<?> timer;

	private @Nullable CloseReason firstCause;

	ConnectionClose(ChannelHandlerContext ctx, Http2Connection connection) {
		this.ctx = ctx;
		this.connection = connection;
		this.end = new ChannelEnd(ctx, connection.limits().flowControlWindow());
	}

	/**
	 * The peer's preface has come, and the server's SETTINGS are written: GOAWAY may be.
	 */
	void handshakeDone() {
		this.handshakeDone = true;
		if (this.shutdown) {
			announce();
		}
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
	 * Something ends the connection. What came first is told when it has ended.
	 */
	void because(CloseReason cause) {
		if (this.firstCause == null) {
			this.firstCause = cause;
		}
	}

	/**
	 * What has ended the connection: its peer, if nothing else did.
	 */
	CloseReason cause() {
		return (this.firstCause != null) ? this.firstCause : CloseReason.PEER;
	}

	/**
	 * Ends the connection when its calls have ended.
	 * @param cause what ends it
	 * @param reason for the peer's log
	 */
	void shutdown(CloseReason cause, byte[] reason) {
		if (this.state != State.OPEN || this.shutdown) {
			return;
		}
		because(cause);
		this.shutdown = true;
		this.reason = reason;
		if (this.handshakeDone) {
			announce();
			return;
		}
		// a client that has just connected would take a close for a failure
		this.timer = this.ctx.channel().eventLoop().schedule(() -> {
			closeWithoutAWord();
			this.connection.wrote();
		}, PREFACE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
	}

	private void announce() {
		cancelTimer();
		this.state = State.ANNOUNCED;
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
			this.patient = this.state == State.DRAINING;
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
			this.end.begin(this.linger, this.patient);
		}
	}

	/**
	 * The peer of a closing connection still sends.
	 */
	void heard(int bytes) {
		this.end.heard(bytes);
	}

	void channelClosed() {
		this.end.cancelTimer();
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
