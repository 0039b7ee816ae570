package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Error;

/**
 * Decides whether a new stream of the peer becomes a call. One whose request is malformed
 * (RFC 9113 section 8.1.1), or that is one too many (section 5.1.2), is reset; one for
 * which there is no room is answered in gRPC's terms.
 * <p>
 * Owned by the event loop.
 */
final class RequestAdmission {

	private static final byte[][] NO_METADATA = {};

	private final Http2Connection connection;

	private final SettingsExchange settings;

	RequestAdmission(Http2Connection connection, SettingsExchange settings) {
		this.connection = connection;
		this.settings = settings;
	}

	/**
	 * Whether a stream that the peer has opened becomes a call. If not, it was told.
	 */
	boolean admits(int streamId, RequestHeaders fields, boolean endOfStream) throws AbuseException {
		if (fields.isTooLarge()) {
			refused(Refusal.METADATA_TOO_LARGE);
			answerTooLarge(streamId, endOfStream);
			return false;
		}
		if (fields.requestFault() != null) {
			rejectStream(streamId);
			return false;
		}
		if (isFull()) {
			refused(Refusal.TOO_MANY_STREAMS);
			refuseStream(streamId);
			return false;
		}
		if (endOfStream && fields.contentLength() > 0) {
			rejectStream(streamId);
			return false;
		}
		if (!this.connection.memory().mayGrow()) {
			refused(Refusal.MEMORY);
			this.connection.telemetry().guardTripped(Guard.MEMORY);
			answer(streamId, this.connection.memory().exhausted(), endOfStream);
			return false;
		}
		return true;
	}

	/**
	 * A stream ends with the frame that has opened it.
	 */
	void refused(Refusal refusal) {
		LoopTelemetry telemetry = this.connection.telemetry();
		telemetry.streamOpened();
		telemetry.requestRefused(refusal);
		telemetry.streamClosed();
	}

	private boolean isFull() {
		return this.connection.streams().size() + this.connection.abandonedCalls().count() >= this.connection.limits()
			.maxConcurrentStreams();
	}

	/**
	 * The client may try again. That it opened the stream is its fault only if it knew
	 * the limit, and knew of the streams that there are: of those that it has reset, and
	 * whose service code goes on, it knows nothing.
	 */
	private void refuseStream(int streamId) throws AbuseException {
		this.connection.frames().resetStream(streamId, Http2Error.REFUSED_STREAM.code());
		if (this.settings.isAcknowledged()
				&& this.connection.streams().size() >= this.connection.limits().maxConcurrentStreams()) {
			this.connection.abuse().protocolFault();
			this.connection.telemetry().protocolFault(Http2Error.REFUSED_STREAM.code(), false);
		}
	}

	private void rejectStream(int streamId) throws AbuseException {
		refused(Refusal.MALFORMED);
		this.connection.frames().resetStream(streamId, Http2Error.PROTOCOL_ERROR.code());
		this.connection.abuse().protocolFault();
		this.connection.telemetry().protocolFault(Http2Error.PROTOCOL_ERROR.code(), false);
	}

	/**
	 * The header list of a request is larger than the server takes: the client is told in
	 * gRPC's terms.
	 */
	private void answerTooLarge(int streamId, boolean endOfStream) {
		Status status = Status.RESOURCE_EXHAUSTED.withDescription(
				"Request metadata is larger than " + this.connection.limits().maxHeaderListSize() + " bytes");
		answer(streamId, status, endOfStream);
	}

	/**
	 * Answers a request that does not become a call.
	 */
	private void answer(int streamId, Status status, boolean endOfStream) {
		this.connection.responses().trailers(streamId, status, NO_METADATA, true);
		if (!endOfStream) {
			this.connection.frames().resetStream(streamId, Http2Error.NO_ERROR.code());
		}
	}

}
