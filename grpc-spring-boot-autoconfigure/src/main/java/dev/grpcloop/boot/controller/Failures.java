package dev.grpcloop.boot.controller;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * What services throw, without what libraries have put around it.
 */
final class Failures {

	/** Not visible to others, and only there with Reactor. */
	private static final String REACTIVE_EXCEPTION = "reactor.core.Exceptions$ReactiveException";

	private Failures() {
	}

	/**
	 * Returns what was thrown in the first place.
	 * @param thrown what was caught
	 * @return the same without its wrapping
	 */
	static Throwable unwrap(Throwable thrown) {
		Throwable failure = thrown;
		while (failure.getCause() != null && isWrapping(failure)) {
			failure = failure.getCause();
		}
		return failure;
	}

	private static boolean isWrapping(Throwable failure) {
		if (failure instanceof InvocationTargetException || failure instanceof UndeclaredThrowableException
				|| failure instanceof CompletionException || failure instanceof ExecutionException) {
			return true;
		}
		for (Class<?> type = failure.getClass(); type != Throwable.class; type = type.getSuperclass()) {
			if (type.getName().equals(REACTIVE_EXCEPTION)) {
				return true;
			}
		}
		return false;
	}

}
