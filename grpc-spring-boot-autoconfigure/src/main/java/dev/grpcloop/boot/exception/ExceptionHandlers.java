package dev.grpcloop.boot.exception;

import java.util.List;

import io.grpc.MethodDescriptor;
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

}
