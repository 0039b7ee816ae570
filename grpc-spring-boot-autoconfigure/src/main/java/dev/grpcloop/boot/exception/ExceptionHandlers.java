package dev.grpcloop.boot.exception;

import java.util.List;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.grpc.server.exception.GrpcExceptionHandler;

/**
 * The handlers of the application.
 *
 * @param beans are asked in this order, the first that returns a status decides
 */
record ExceptionHandlers(List<GrpcExceptionHandler> beans) {

	private static final Log logger = LogFactory.getLog(ExceptionHandlers.class);

	boolean isEmpty() {
		return this.beans.isEmpty();
	}

	/**
	 * Asks the handlers.
	 * @param exception what a call failed with
	 * @param method the method that was called
	 * @return the status of the first that knows, INTERNAL if one throws, or {@code null}
	 */
	@Nullable StatusException claim(Throwable exception, MethodDescriptor<?, ?> method) {
		try {
			for (GrpcExceptionHandler handler : this.beans) {
				StatusException claimed = handler.handleException(exception);
				if (claimed != null) {
					return claimed;
				}
			}
			return null;
		}
		catch (StatusRuntimeException ex) {
			return new StatusException(ex.getStatus(), ex.getTrailers());
		}
		catch (Throwable ex) {
			if (ex != exception) {
				ex.addSuppressed(exception);
			}
			logger.error("A GrpcExceptionHandler threw while it handled an exception of " + method.getFullMethodName()
					+ "; the call ends with INTERNAL", ex);
			return Status.INTERNAL.withCause(exception).asException();
		}
	}

	/**
	 * Ends a call because its service or an interceptor threw.
	 * @param call the call
	 * @param exception what was thrown
	 * @throws RuntimeException the exception itself, if the call has ended before
	 * @throws Error likewise
	 */
	void fail(ServerCall<?, ?> call, Throwable exception) {
		StatusException claimed = claim(exception, call.getMethodDescriptor());
		Status status = (claimed != null) ? claimed.getStatus() : Status.fromThrowable(exception);
		Metadata trailers = (claimed != null) ? claimed.getTrailers() : Status.trailersFromThrowable(exception);
		try {
			call.close(status, (trailers != null) ? trailers : new Metadata());
		}
		catch (IllegalStateException ex) {
			// the service ended the call and threw then: that is for the server's log
			ExceptionHandlers.<RuntimeException>rethrow(exception);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void rethrow(Throwable exception) throws T {
		throw (T) exception;
	}

}
