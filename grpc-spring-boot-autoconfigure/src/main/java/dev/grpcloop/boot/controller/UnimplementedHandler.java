package dev.grpcloop.boot.controller;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * Answers for an RPC that no method serves, as the generated base classes do.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class UnimplementedHandler<Q, R> implements ServerCallHandler<Q, R> {

	@Override
	public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
		call.close(
				Status.UNIMPLEMENTED
					.withDescription("Method " + call.getMethodDescriptor().getFullMethodName() + " is unimplemented"),
				new Metadata());
		return new ServerCall.Listener<>() {
		};
	}

}
