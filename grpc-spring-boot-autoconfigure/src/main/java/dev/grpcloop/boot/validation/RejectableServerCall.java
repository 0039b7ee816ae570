package dev.grpcloop.boot.validation;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;

/**
 * A call that may end because of a request. To its service it is cancelled then, and what
 * the service still sends, perhaps on another thread, is dropped.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class RejectableServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	private volatile boolean rejected;

	private volatile boolean closed;

	RejectableServerCall(ServerCall<Q, R> call) {
		super(call);
	}

	/**
	 * Ends the call, unless the service has.
	 * @param status tells the client why
	 */
	void reject(StatusException status) {
		this.rejected = true;
		if (!this.closed) {
			Metadata trailers = status.getTrailers();
			delegate().close(status.getStatus(), (trailers != null) ? trailers : new Metadata());
		}
	}

	@Override
	public void sendHeaders(Metadata headers) {
		if (!this.rejected) {
			delegate().sendHeaders(headers);
		}
	}

	@Override
	public void sendMessage(R message) {
		if (!this.rejected) {
			delegate().sendMessage(message);
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		if (!this.rejected) {
			this.closed = true;
			delegate().close(status, trailers);
		}
	}

	@Override
	public boolean isReady() {
		return !this.rejected && delegate().isReady();
	}

	@Override
	public boolean isCancelled() {
		return this.rejected || delegate().isCancelled();
	}

}
