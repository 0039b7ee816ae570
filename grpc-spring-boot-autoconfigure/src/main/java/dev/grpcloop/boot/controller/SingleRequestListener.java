package dev.grpcloop.boot.controller;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method with the one request, when it is certain that it is the only one. What
 * clients hear that send none or two is what the generated base classes say.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class SingleRequestListener<Q, R> extends CallListener<Q, R> {

	private @Nullable Q request;

	private boolean refused;

	SingleRequestListener(BoundMethod method, ServerCall<Q, R> call, Metadata headers) {
		super(method, call, headers);
	}

	@Override
	public void onMessage(Q request) {
		if (this.request == null) {
			this.request = request;
			return;
		}
		this.refused = true;
		responses().refuse(Status.INTERNAL.withDescription("Too many requests"));
	}

	@Override
	public void onHalfClose() {
		if (this.refused) {
			return;
		}
		Q request = this.request;
		if (request == null) {
			responses().refuse(Status.INTERNAL.withDescription("Half-closed without a request"));
			return;
		}
		this.request = null;
		invoke(request, null);
	}

	/**
	 * An exception without a status passes through the interceptors, as that of a
	 * generated base class does, so that those that catch exceptions see it.
	 */
	@Override
	void thrown(Throwable failure) {
		Throwable bare = Failures.unwrap(failure);
		if (responses().mayBeEndedByInterceptors() && Status.fromThrowable(bare).getCode() == Status.Code.UNKNOWN) {
			if (bare instanceof RuntimeException ex) {
				throw ex;
			}
			if (bare instanceof Error ex) {
				throw ex;
			}
		}
		super.thrown(bare);
	}

}
