package dev.grpcloop.boot.exception;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;

/**
 * A call that hears what its service passes to {@code onError}: an exception without a
 * status arrives as {@code UNKNOWN} with a cause.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class HandledServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> implements FailingCall {

	private final ExceptionHandlers handlers;

	HandledServerCall(ServerCall<Q, R> call, ExceptionHandlers handlers) {
		super(call);
		this.handlers = handlers;
	}

	@Override
	public void close(Status status, Metadata trailers) {
		Throwable exception = (status.getCode() == Status.Code.UNKNOWN) ? status.getCause() : null;
		StatusException claimed = (exception != null) ? this.handlers.claim(exception, getMethodDescriptor()) : null;
		if (claimed == null) {
			delegate().close(status, trailers);
			return;
		}
		if (claimed.getTrailers() != null) {
			trailers.merge(claimed.getTrailers());
		}
		delegate().close(FailingCall.because(claimed.getStatus(), exception), trailers);
	}

	@Override
	public void fail(Throwable exception) {
		StatusException claimed = this.handlers.claim(exception, getMethodDescriptor());
		if (claimed == null) {
			throw FailingCall.<RuntimeException>rethrow(exception);
		}
		Metadata trailers = claimed.getTrailers();
		try {
			delegate().close(FailingCall.because(claimed.getStatus(), exception),
					(trailers != null) ? trailers : new Metadata());
		}
		catch (IllegalStateException ex) {
			// the service ended the call and threw then: that is for the server's log
			throw FailingCall.<RuntimeException>rethrow(exception);
		}
	}

}
