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
	 * A connection ended. Comes exactly once for each {@link #connectionOpened()}.
	 */
	default void connectionClosed() {
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
	 * A stream has data to send and no flow-control credit left to send it with.
	 */
	default void flowControlStalled() {
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
