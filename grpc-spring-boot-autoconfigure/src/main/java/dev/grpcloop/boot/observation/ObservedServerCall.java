package dev.grpcloop.boot.observation;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.micrometer.core.instrument.binder.grpc.GrpcObservationDocumentation.GrpcServerEvents;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;

/**
 * Adds to an observation what a service sends.
 *
 * @param <Q> the requests
 * @param <R> the responses
 */
final class ObservedServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	private final ObservedCall observed;

	ObservedServerCall(ServerCall<Q, R> call, ObservedCall observed) {
		super(call);
		this.observed = observed;
	}

	@Override
	public void sendHeaders(Metadata headers) {
		// a copy, since the server may take them apart on another thread
		Metadata copy = copy(headers);
		delegate().sendHeaders(headers);
		this.observed.context().setHeaders(copy);
	}

	@Override
	public void sendMessage(R message) {
		delegate().sendMessage(message);
		if (!isCancelled()) {
			this.observed.observation().event(GrpcServerEvents.MESSAGE_SENT);
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		GrpcServerObservationContext context = this.observed.context();
		if (status.getCause() != null) {
			this.observed.observation().error(status.getCause());
		}
		context.setStatusCode(status.getCode());
		context.setTrailers(copy(trailers));
		context.setCancelled(isCancelled());
		delegate().close(status, trailers);
	}

	private static Metadata copy(Metadata metadata) {
		Metadata copy = new Metadata();
		copy.merge(metadata);
		return copy;
	}

}
