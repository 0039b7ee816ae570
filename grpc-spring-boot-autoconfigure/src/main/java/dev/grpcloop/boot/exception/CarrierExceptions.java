package dev.grpcloop.boot.exception;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Exceptions that say nothing themselves: they carry another one out of a future or a
 * reflective call.
 */
final class CarrierExceptions {

	private CarrierExceptions() {
	}

	/**
	 * Returns what an exception carries.
	 * @param exception the exception
	 * @return the first cause that is no carrier; the exception itself if it is none, or
	 * carries nothing
	 */
	static Throwable unwrap(Throwable exception) {
		Throwable bare = exception;
		while (isCarrier(bare) && bare.getCause() != null) {
			bare = bare.getCause();
		}
		return bare;
	}

	private static boolean isCarrier(Throwable exception) {
		return exception instanceof CompletionException || exception instanceof ExecutionException
				|| exception instanceof InvocationTargetException || exception instanceof UndeclaredThrowableException;
	}

}
