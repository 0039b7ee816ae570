package dev.grpcloop.boot.validation;

import java.util.Map;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Validates the requests of the methods that have rules.
 *
 * @param validators full name of a method to its validator
 */
record ValidatingInterceptor(Map<String, RequestValidator> validators) implements ServerInterceptor {

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		RequestValidator validator = this.validators.get(call.getMethodDescriptor().getFullMethodName());
		if (validator == null) {
			return next.startCall(call, headers);
		}
		// a service that takes a single request sends nothing before it
		boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
		ServerCall<Q, R> rejectable = single ? call : new RejectableServerCall<>(call);
		return new ValidatingListener<>(next.startCall(rejectable, headers), rejectable, validator);
	}

}
