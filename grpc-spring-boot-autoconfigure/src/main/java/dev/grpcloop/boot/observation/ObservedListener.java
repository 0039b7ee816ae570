package dev.grpcloop.boot.observation;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import io.micrometer.core.instrument.binder.grpc.GrpcObservationDocumentation.GrpcServerEvents;

/**
 * Makes an observation the current one in each callback, and ends it with the last.
 *
 * @param <Q> the requests
 */
final class ObservedListener<Q> extends SimpleForwardingServerCallListener<Q> {

	private final ObservedCall observed;

	ObservedListener(ServerCall.Listener<Q> listener, ObservedCall observed) {
		super(listener);
		this.observed = observed;
	}

	@Override
	public void onMessage(Q message) {
		this.observed.observation().event(GrpcServerEvents.MESSAGE_RECEIVED);
		this.observed.observation().scoped(() -> delegate().onMessage(message));
	}

	@Override
	public void onHalfClose() {
		this.observed.observation().scoped(delegate()::onHalfClose);
	}

	@Override
	public void onReady() {
		this.observed.observation().scoped(delegate()::onReady);
	}

	@Override
	public void onCancel() {
		this.observed.observation().event(GrpcServerEvents.CANCELLED);
		this.observed.context().setCancelled(true);
		try {
			this.observed.observation().scoped(delegate()::onCancel);
		}
		finally {
			this.observed.end();
		}
	}

	@Override
	public void onComplete() {
		try {
			this.observed.observation().scoped(delegate()::onComplete);
		}
		finally {
			this.observed.end();
		}
	}

}
