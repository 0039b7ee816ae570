package dev.grpcloop.boot.validation;

import java.util.List;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import io.grpc.StatusException;

/**
 * Looks at each request of a call. The first invalid one ends the call: its service hears
 * of a cancellation, and of nothing else after it.
 *
 * @param <Q> the type of the requests
 */
final class ValidatingListener<Q> extends SimpleForwardingServerCallListener<Q> {

	private final ServerCall<Q, ?> call;

	private final RequestValidator validator;

	/** Callbacks of a call are serial. */
	private boolean rejected;

	ValidatingListener(ServerCall.Listener<Q> listener, ServerCall<Q, ?> call, RequestValidator validator) {
		super(listener);
		this.call = call;
		this.validator = validator;
	}

	@Override
	public void onMessage(Q message) {
		if (this.rejected) {
			return;
		}
		List<RequestViolation> violations = this.validator.validate(message);
		if (violations.isEmpty()) {
			delegate().onMessage(message);
			return;
		}
		this.rejected = true;
		reject(InvalidRequest.of(violations));
		delegate().onCancel();
	}

	private void reject(StatusException status) {
		if (this.call instanceof RejectableServerCall<Q, ?> rejectable) {
			rejectable.reject(status);
		}
		else {
			InvalidRequest.close(this.call, status);
		}
	}

	@Override
	public void onReady() {
		if (!this.rejected) {
			delegate().onReady();
		}
	}

	@Override
	public void onHalfClose() {
		if (!this.rejected) {
			delegate().onHalfClose();
		}
	}

	@Override
	public void onCancel() {
		if (!this.rejected) {
			delegate().onCancel();
		}
	}

	@Override
	public void onComplete() {
		if (!this.rejected) {
			delegate().onComplete();
		}
	}

}
