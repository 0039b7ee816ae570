package dev.grpcloop.boot.controller;

import java.lang.invoke.MethodType;

import dev.grpcloop.boot.GrpcCallContext;
import dev.grpcloop.boot.GrpcSink;
import io.grpc.Metadata;

/**
 * What a parameter of a method is, in the order of {@link MethodInvoker}'s arguments.
 */
enum ParameterKind {

	/** The request, or all of them. */
	REQUESTS(Object.class),

	/** The headers of the request. */
	METADATA(Metadata.class),

	/** What else there is to the call. */
	CONTEXT(GrpcCallContext.class),

	/** What takes the responses. */
	SINK(GrpcSink.class);

	/** How each method is called, whatever its own parameters and their order. */
	static final MethodType ARGUMENTS = MethodType.methodType(Object.class, REQUESTS.type, METADATA.type, CONTEXT.type,
			SINK.type);

	private final Class<?> type;

	ParameterKind(Class<?> type) {
		this.type = type;
	}

	Class<?> type() {
		return this.type;
	}

}
