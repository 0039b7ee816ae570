package dev.grpcloop.boot.testsupport;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Adds its name to the trace of each call.
 */
public class TracingInterceptor implements ServerInterceptor {

	private final String name;

	private final CallTrace trace;

	public TracingInterceptor(String name, CallTrace trace) {
		this.name = name;
		this.trace = trace;
	}

	@Override
	public <I, O> ServerCall.Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers,
			ServerCallHandler<I, O> next) {
		this.trace.add(this.name);
		return next.startCall(call, headers);
	}

}
