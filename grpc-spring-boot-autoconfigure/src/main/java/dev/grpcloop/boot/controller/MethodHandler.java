package dev.grpcloop.boot.controller;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * Begins calls of a method.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class MethodHandler<Q, R> implements ServerCallHandler<Q, R> {

	private final BoundMethod method;

	private final Executor executor;

	private final CallerContext callerContext;

	/**
	 * A handler.
	 * @param method the method
	 * @param executor where it runs if it waits for requests
	 * @param callerContext what goes there with it
	 */
	MethodHandler(BoundMethod method, Executor executor, CallerContext callerContext) {
		this.method = method;
		this.executor = executor;
		this.callerContext = callerContext;
	}

	@Override
	public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
		if (this.method.shape().requests() == RequestKind.MESSAGE) {
			// a second one shows that the client breaks the rules
			call.request(2);
			return new SingleRequestListener<>(this.method, call, headers);
		}
		return startMany(call, headers);
	}

	private ServerCall.Listener<Q> startMany(ServerCall<Q, R> call, Metadata headers) {
		Runner runner = this.method.shape().waitsForRequests() ? new TaskRunner(this.executor, this.callerContext)
				: null;
		ManyRequestsListener<Q, R> listener = new ManyRequestsListener<>(this.method, call, headers, requests(call),
				runner);
		try {
			listener.start();
		}
		catch (RejectedExecutionException ex) {
			listener.responses()
				.refuse(Status.RESOURCE_EXHAUSTED
					.withDescription("The server has no thread for the call: its executor is full or shut down"));
		}
		return listener;
	}

	private RequestSource<Q> requests(ServerCall<Q, R> call) {
		return switch (this.method.shape().requests()) {
			case ITERATOR -> new RequestQueue<>(call, false);
			case STREAM -> new RequestQueue<>(call, true);
			case FLUX -> new RequestPublisher<>(call) {

				@Override
				public Object argument() {
					return ReactorBridge.flux(this);
				}

			};
			default -> new RequestPublisher<>(call);
		};
	}

}
