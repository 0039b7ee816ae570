package dev.grpcloop.boot.exception;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A call whose status is looked at when it ends, and which is otherwise the call itself.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class TranslatingServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> implements FailingCall {

	private final TranslatingInterceptor interceptor;

	/** What is thrown after the end of a call is the server's to log. */
	private boolean closed;

	TranslatingServerCall(ServerCall<Q, R> call, TranslatingInterceptor interceptor) {
		super(call);
		this.interceptor = interceptor;
	}

	@Override
	public void close(Status status, Metadata trailers) {
		boolean first = !this.closed;
		this.closed = true;
		if (first && status.getCause() != null) {
			this.interceptor.close(delegate(), status, trailers);
		}
		else {
			delegate().close(status, trailers);
		}
	}

	@Override
	public void fail(Throwable exception) {
		if (this.closed) {
			throw FailingCall.<RuntimeException>rethrow(exception);
		}
		Metadata trailers = Status.trailersFromThrowable(exception);
		try {
			close(FailingCall.because(Status.fromThrowable(exception), exception),
					(trailers != null) ? trailers : new Metadata());
		}
		catch (IllegalStateException ex) {
			// another thread was faster, and the client has its answer
			throw FailingCall.<RuntimeException>rethrow(exception);
		}
	}

}
