package dev.grpcloop.boot.exception;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * A call that knows what to do when its service or an interceptor throws.
 */
interface FailingCall {

	/**
	 * Ends the call, or throws the exception on.
	 * @param exception what was thrown
	 */
	void fail(Throwable exception);

	/**
	 * Adds the exception to a status that was made of it, for those who count errors by
	 * their class. Clients do not see it. A status that says nothing else stays as it is,
	 * since with a cause it would stand for an exception that nobody has claimed; but not
	 * where a status was thrown, which {@link #unclaimed nobody need claim}.
	 * @param status the status
	 * @param exception what was thrown
	 * @return the status, with a cause
	 */
	static Status because(Status status, Throwable exception) {
		boolean kept = saysSomething(status) || isStatus(exception);
		return (kept && status.getCause() == null) ? status.withCause(exception) : status;
	}

	/**
	 * Returns the exception that a status stands for, if nobody has made that status of
	 * it.
	 * @param status the status
	 * @return its cause, or {@code null} if there is none or it has a status of its own
	 */
	static @Nullable Throwable unclaimed(Status status) {
		Throwable cause = status.getCause();
		return (cause == null || saysSomething(status) || isStatus(cause)) ? null : cause;
	}

	private static boolean saysSomething(Status status) {
		return status.getCode() != Status.Code.UNKNOWN || status.getDescription() != null;
	}

	private static boolean isStatus(Throwable exception) {
		return exception instanceof StatusException || exception instanceof StatusRuntimeException;
	}

	/**
	 * Throws an exception on, checked or not.
	 * @param <T> lets the compiler take it for one that is not
	 * @param exception what was thrown
	 * @return nothing
	 * @throws T the exception
	 */
	@SuppressWarnings("unchecked")
	static <T extends Throwable> RuntimeException rethrow(Throwable exception) throws T {
		throw (T) exception;
	}

}
