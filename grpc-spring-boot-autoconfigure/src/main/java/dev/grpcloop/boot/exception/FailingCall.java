package dev.grpcloop.boot.exception;

import io.grpc.Status;

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
	 * since with a cause it would stand for an exception that nobody has claimed.
	 * @param status the status
	 * @param exception what was thrown
	 * @return the status, with a cause
	 */
	static Status because(Status status, Throwable exception) {
		boolean says = status.getCode() != Status.Code.UNKNOWN || status.getDescription() != null;
		return (says && status.getCause() == null) ? status.withCause(exception) : status;
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
