package dev.grpcloop.boot.observation;

import io.grpc.Status;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;
import io.micrometer.observation.Observation;

/**
 * A call and its observation.
 *
 * @param observation the observation, which has begun
 * @param stream knows how the call ends
 */
record ObservedCall(Observation observation, ObservedStream stream) {

	GrpcServerObservationContext context() {
		return (GrpcServerObservationContext) this.observation.getContext();
	}

	/**
	 * The call did not reach its service. There is no listener to hear of its end.
	 * @param exception what was thrown
	 */
	void startFailed(Throwable exception) {
		this.observation.error(exception);
		this.stream.whenClosed(this::end);
	}

	/**
	 * Ends the observation. Only once: the last callback of a call is one. The service
	 * may be told of the end before its response is on its way. What it has closed the
	 * call with counts then, unless an exception may become another status further out.
	 */
	void end() {
		Status status = this.stream.status();
		GrpcServerObservationContext context = context();
		if (status != null) {
			end(status);
		}
		else if (context.getStatusCode() != null && context.getError() == null) {
			this.observation.stop();
		}
		else {
			this.stream.whenClosed(this::end);
		}
	}

	private void end(Status status) {
		GrpcServerObservationContext context = context();
		context.setStatusCode(status.getCode());
		if (context.getError() == null && status.getCause() != null) {
			this.observation.error(status.getCause());
		}
		this.observation.stop();
	}

}
