package dev.grpcloop.engine.telemetry;

import io.grpc.Status;

/**
 * What happens to the calls of one method on one event loop. All methods are called on
 * that loop only.
 */
public interface MethodTelemetry {

	/** Records nothing. */
	MethodTelemetry NOOP = new MethodTelemetry() {
	};

	/**
	 * A call began: its headers were read.
	 * @param arrivalNanos when they arrived, as {@link System#nanoTime()} tells it; never
	 * less than for the call before
	 */
	default void callStarted(long arrivalNanos) {
	}

	/**
	 * Service code, interceptors included, is told that its call is cancelled: what it
	 * closes the call with, if it does, is not what the client was told. Comes at most
	 * once for each call, right before its {@link #callClosed}.
	 */
	default void callCancelled() {
	}

	/**
	 * A call ended, in whichever way. Comes exactly once for each {@link #callStarted}.
	 * @param status what the client was told, or {@link Status#CANCELLED} where the call
	 * ended before it could be told; its cause is what the service threw, if it did
	 * @param arrivalNanos that of its {@link #callStarted}
	 * @param nanos from the arrival of the call's headers, in nanoseconds
	 * @param served whether service code, interceptors included, has seen the call
	 */
	default void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
	}

	/**
	 * A request message was received in full.
	 * @param bytes its length on the wire without the 5-byte prefix
	 */
	default void messageReceived(int bytes) {
	}

	/**
	 * A response message was accepted for sending.
	 * @param bytes its length on the wire without the 5-byte prefix
	 */
	default void messageSent(int bytes) {
	}

}
