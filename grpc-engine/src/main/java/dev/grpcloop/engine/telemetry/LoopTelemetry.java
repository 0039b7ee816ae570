package dev.grpcloop.engine.telemetry;

import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What happens on one event loop. All methods are called on that loop only.
 */
public interface LoopTelemetry {

	/** Records nothing. */
	LoopTelemetry NOOP = new LoopTelemetry() {
	};

	/**
	 * A connection was accepted.
	 */
	default void connectionOpened() {
	}

	/**
	 * The HTTP/2 handshake of a connection is done: the client's preface and SETTINGS
	 * have come, and it has acknowledged the server's.
	 * @param nanos from the opening of the connection, in nanoseconds
	 */
	default void handshakeCompleted(long nanos) {
	}

	/**
	 * A connection ended. Comes exactly once for each {@link #connectionOpened()}.
	 * @param reason why
	 */
	default void connectionClosed(CloseReason reason) {
	}

	/**
	 * A client opened a stream, which becomes a call or is {@link #requestRefused
	 * refused}.
	 */
	default void streamOpened() {
	}

	/**
	 * A stream ended. Comes exactly once for each {@link #streamOpened()}.
	 */
	default void streamClosed() {
	}

	/**
	 * A stream that a client opened does not become a call.
	 * @param refusal why
	 */
	default void requestRefused(Refusal refusal) {
	}

	/**
	 * A client broke a rule of HTTP/2 and was told so, once. Not where that trips a
	 * guard, nor where the server lets it pass.
	 * @param errorCode the HTTP/2 error code that it was told (RFC 9113 section 7)
	 * @param connection whether it ends the connection, and not one stream alone
	 */
	default void protocolFault(long errorCode, boolean connection) {
	}

	/**
	 * Bytes were read from a socket, HTTP/2 framing included.
	 * @param bytes how many, at least 1
	 */
	default void bytesReceived(int bytes) {
	}

	/**
	 * Bytes were handed to a socket, HTTP/2 framing included.
	 * @param bytes how many, at least 1
	 */
	default void bytesSent(int bytes) {
	}

	/**
	 * What was written to a connection since the last time was handed to its socket, in
	 * one go. Comes with each {@link #bytesSent}, but for that of an answer to a client
	 * that does not speak HTTP/2.
	 * @param frames how many HTTP/2 frames, at least 1
	 * @param bytes how many bytes, at least 1
	 */
	default void flushed(int frames, int bytes) {
	}

	/**
	 * The peer reset a stream.
	 * @param errorCode the HTTP/2 error code of its RST_STREAM frame (RFC 9113 section 7)
	 */
	default void resetReceived(long errorCode) {
	}

	/**
	 * The server reset a stream.
	 * @param errorCode the HTTP/2 error code of its RST_STREAM frame (RFC 9113 section 7)
	 */
	default void resetSent(long errorCode) {
	}

	/**
	 * There is data to send and no flow-control credit left to send it with: of a stream,
	 * when its own window is used up; of a connection, once for all its streams, when
	 * that of the connection is. A stream that has no credit of its own does not count
	 * among those that wait for the connection's.
	 */
	default void flowControlStalled() {
	}

	/**
	 * A stream, or a connection, that was {@link #flowControlStalled() stalled} got
	 * credit, or has nothing to send any more: it has ended, or all its streams have.
	 * Comes exactly once for each stall.
	 * @param nanos how long it was stalled, in nanoseconds
	 */
	default void flowControlResumed(long nanos) {
	}

	/**
	 * The loop is about to look at its connections again, and to wait for them if it has
	 * nothing else to do. Not for event loops that the application has brought, nor for
	 * one whose recorder is {@link #NOOP}.
	 * @param busyNanos how long it has worked since it looked last, in nanoseconds
	 * @param waitedNanos how long it had waited before that, in nanoseconds; 0 if it did
	 * not wait
	 */
	default void turned(long busyNanos, long waitedNanos) {
	}

	/**
	 * A protection has tripped.
	 * @param guard which one
	 */
	default void guardTripped(Guard guard) {
	}

	/**
	 * Returns the recorder of one method on this loop. Called once per method and loop,
	 * never per call.
	 * @param method the method, or {@code null} for calls to methods the server does not
	 * know
	 * @return the recorder, used only on this loop
	 */
	default MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		return MethodTelemetry.NOOP;
	}

}
