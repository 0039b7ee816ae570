package dev.grpcloop.boot.exception;

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
