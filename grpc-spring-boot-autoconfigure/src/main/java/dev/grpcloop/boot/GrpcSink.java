package dev.grpcloop.boot;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Takes the responses of a call from a method of a {@link GrpcController}, one after the
 * other. The call stays open when the method has returned: it ends with {@link #complete}
 * or {@link #error}, or when the method throws.
 * <p>
 * Any thread may use a sink, and several at once: each response goes out as a whole, in
 * the order of the calls of {@link #emit}. No method blocks.
 * <p>
 * Backpressure is the method's own: what the client does not read is kept, up to the
 * limit of bytes that a call may hold (64 MiB by default), beyond which the call ends
 * with {@code RESOURCE_EXHAUSTED}. A method with more to say emits while {@link #isReady}
 * and goes on in {@link #onReady}.
 *
 * @param <R> the type of the responses
 */
public interface GrpcSink<R> {

	/**
	 * Sends a response. It is serialised before this method returns.
	 * @param response the response
	 * @throws StatusRuntimeException with {@link Status#CANCELLED}, if the call was
	 * cancelled and no action was given to {@link #onCancel}; with one, the response is
	 * dropped
	 * @throws IllegalStateException if the call was completed or failed before
	 * @throws NullPointerException if there is no response; the call ends with
	 * {@code INTERNAL}
	 */
	void emit(R response);

	/**
	 * Ends the call with {@link Status#OK}.
	 */
	void complete();

	/**
	 * Ends the call with a failure, as if the method had thrown it: exceptions are mapped
	 * as all others are.
	 * @param failure a {@link StatusRuntimeException}, or any other
	 */
	void error(Throwable failure);

	/**
	 * Whether a response would be sent without waiting for the client.
	 * @return {@code false} when much waits already, and when the call is over
	 */
	boolean isReady();

	/**
	 * Runs an action when the call has become ready after it was not, and once at the
	 * beginning: when the method has returned if it runs in a callback of the call, at
	 * once if it runs in a task of its own. The action runs where callbacks of the call
	 * run, never twice at a time.
	 * @param action what to do, for example to emit while {@link #isReady}; what it
	 * throws ends the call
	 */
	void onReady(Runnable action);

	/**
	 * Whether nobody waits for responses any more: the client has cancelled the call, its
	 * deadline has passed, or the connection is lost.
	 * @return whether the call was cancelled
	 */
	boolean isCancelled();

	/**
	 * Runs an action when the call is cancelled, at once if it is already.
	 * @param action what to do, for example to stop what produces the responses
	 */
	void onCancel(Runnable action);

}
