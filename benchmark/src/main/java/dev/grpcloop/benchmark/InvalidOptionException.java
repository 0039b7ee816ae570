package dev.grpcloop.benchmark;

/**
 * The benchmark cannot run as asked. The message says what to do.
 */
class InvalidOptionException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	InvalidOptionException(String message) {
		super(message);
	}

}
