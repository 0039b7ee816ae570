package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;

/**
 * What becomes of a stream or a connection whose peer does wrong: an error of a stream
 * resets it, an error of the connection ends that with GOAWAY (RFC 9113 section 5.4).
 * <p>
 * A guard that trips is reported once, said in the log once, and ends the connection:
 * with GOAWAY if the peer reads what it is sent ({@link #tripped}), at once if it does
 * not ({@link #abandon}). Once the connection is closing nothing trips any more.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionErrors {

	private final Channel channel;

	private final Http2Connection connection;

	ConnectionErrors(Channel channel, Http2Connection connection) {
		this.channel = channel;
		this.connection = connection;
	}

	/**
	 * The peer broke a rule on one stream (RFC 9113 section 5.4.2).
	 */
	void streamError(int streamId, Http2Error error, String message) throws AbuseException {
		this.connection.abuse().protocolFault();
		Http2Connection.LOGGER.log(System.Logger.Level.DEBUG,
				() -> this.channel + " stream " + streamId + ": " + message);
		Http2Stream stream = this.connection.streams().get(streamId);
		if (stream != null) {
			this.connection.telemetry().protocolFault(error.code(), false);
			stream.reset(error, Status.CANCELLED.withDescription(message));
			this.connection.wrote();
		}
		else if (this.connection.closedStreams().contains(streamId)) {
			this.connection.telemetry().protocolFault(error.code(), false);
			this.connection.frames().resetStream(streamId, error.code());
			this.connection.wrote();
		}
		else if (this.connection.isIdle(streamId)) {
			// a stream that was never opened cannot be reset (section 6.4)
			connectionError(error, message);
		}
	}

	/**
	 * The peer broke a rule of the connection (RFC 9113 section 5.4.1): it is told, and
	 * the connection ends.
	 * @param message is the debug data of GOAWAY
	 */
	void connectionError(Http2Error error, String message) {
		if (!this.connection.closing().isClosing()) {
			this.connection.telemetry().protocolFault(error.code(), true);
		}
		end(CloseReason.PROTOCOL_ERROR, error, message);
	}

	/**
	 * The connection ends for a reason of the server's own, which is not its peer's
	 * fault.
	 * @param message is the debug data of GOAWAY
	 */
	void endedByServer(CloseReason cause, String message) {
		end(cause, Http2Error.INTERNAL_ERROR, message);
	}

	private void end(CloseReason cause, Http2Error error, String message) {
		Http2Connection.LOGGER.log(System.Logger.Level.DEBUG, () -> this.channel + ": " + error + ": " + message);
		if (this.connection.closing().isClosing()) {
			return;
		}
		this.connection.closing().because(cause);
		this.connection.frames()
			.goAway(this.connection.lastStreamId(), error.code(), message.getBytes(StandardCharsets.UTF_8));
		endStreams(message);
		this.connection.closing().close();
		this.connection.wrote();
	}

	/**
	 * A guard has tripped: the peer hears ENHANCE_YOUR_CALM.
	 * @param reason follows the name of the guard in the debug data of GOAWAY
	 */
	void tripped(Guard guard, String reason) {
		tripped(guard, Http2Error.ENHANCE_YOUR_CALM, AbuseException.debugData(guard, reason));
	}

	/**
	 * A guard has tripped: the peer is told.
	 * @param debugData that of GOAWAY
	 */
	void tripped(Guard guard, Http2Error error, String debugData) {
		if (!this.connection.closing().isClosing()) {
			this.connection.telemetry().guardTripped(guard);
			end(CloseReason.GUARD, error, debugData);
		}
	}

	/**
	 * A guard has tripped, and there is nobody to be told. Not to be called within a
	 * batch.
	 * @param reason for the log, and for the calls that end
	 */
	void abandon(Guard guard, String reason) {
		if (!this.connection.closing().isClosing()) {
			this.connection.telemetry().guardTripped(guard);
			Http2Connection.LOGGER.log(System.Logger.Level.DEBUG,
					() -> this.channel + " is closed: " + guard + ": " + reason);
			this.connection.closing().because(CloseReason.GUARD);
			endStreams(reason);
			this.connection.closing().abandon();
		}
	}

	private void endStreams(String reason) {
		this.connection.endStreams(Status.UNAVAILABLE.withDescription("The connection was closed: " + reason));
	}

}
