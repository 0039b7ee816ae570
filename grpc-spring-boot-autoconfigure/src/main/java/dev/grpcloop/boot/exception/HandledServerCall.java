package dev.grpcloop.boot.exception;

import java.util.List;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.grpc.server.exception.GrpcExceptionHandler;

/**
 * A call whose exceptions go to the handlers of the application first.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class HandledServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	private static final Log logger = LogFactory.getLog(HandledServerCall.class);

	private final List<GrpcExceptionHandler> handlers;

	HandledServerCall(ServerCall<Q, R> call, List<GrpcExceptionHandler> handlers) {
		super(call);
		this.handlers = handlers;
	}

	/**
	 * Ends the call. A status that names an exception and is {@code UNKNOWN} is what
	 * becomes of an exception that was passed to {@code onError}.
	 */
	@Override
	public void close(Status status, Metadata trailers) {
		Throwable exception = (status.getCode() == Status.Code.UNKNOWN) ? status.getCause() : null;
		StatusException claimed = (exception != null) ? claim(exception) : null;
		if (claimed == null) {
			delegate().close(status, trailers);
			return;
		}
		if (claimed.getTrailers() != null) {
			trailers.merge(claimed.getTrailers());
		}
		delegate().close(claimed.getStatus(), trailers);
	}

	/**
	 * Ends the call because the service or an interceptor threw.
	 * @param exception what it threw
	 * @throws RuntimeException the exception itself, if the call has ended before
	 * @throws Error likewise
	 */
	void fail(Throwable exception) {
		StatusException claimed = claim(exception);
		Status status = (claimed != null) ? claimed.getStatus() : Status.fromThrowable(exception);
		Metadata trailers = (claimed != null) ? claimed.getTrailers() : Status.trailersFromThrowable(exception);
		try {
			delegate().close(status, (trailers != null) ? trailers : new Metadata());
		}
		catch (IllegalStateException ex) {
			// the service ended the call and threw then: that is for the server's log
			HandledServerCall.<RuntimeException>rethrow(exception);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void rethrow(Throwable exception) throws T {
		throw (T) exception;
	}

	private @Nullable StatusException claim(Throwable exception) {
		try {
			for (GrpcExceptionHandler handler : this.handlers) {
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
			ex.addSuppressed(exception);
			logger.error("A GrpcExceptionHandler threw while it handled an exception of "
					+ getMethodDescriptor().getFullMethodName() + "; the call ends with INTERNAL", ex);
			return Status.INTERNAL.withCause(exception).asException();
		}
	}

}
