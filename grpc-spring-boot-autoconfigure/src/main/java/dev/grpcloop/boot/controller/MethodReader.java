package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.GrpcCallContext;
import dev.grpcloop.boot.GrpcSink;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Reads from a method's signature how it serves an RPC.
 */
final class MethodReader {

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private static final String KOTLIN_FLOWS = "kotlinx.coroutines.flow.";

	private static final String UNIT = "kotlin.Unit";

	private final Class<?> beanType;

	private final RpcContract rpc;

	private final Method method;

	private final List<ParameterKind> parameters = new ArrayList<>();

	private @Nullable RequestKind requests;

	private MethodReader(Class<?> beanType, RpcContract rpc, Method method) {
		this.beanType = beanType;
		this.rpc = rpc;
		this.method = method;
	}

	/**
	 * Reads a method.
	 * @param beanType the class in which type variables are resolved
	 * @param rpc what the method is to serve
	 * @param method the method
	 * @return its shape
	 * @throws ShapeException if it cannot serve the RPC
	 */
	static MethodShape read(Class<?> beanType, RpcContract rpc, Method method) throws ShapeException {
		return new MethodReader(beanType, rpc, method).read();
	}

	private MethodShape read() throws ShapeException {
		for (int i = 0; i < this.method.getParameterCount(); i++) {
			ParameterKind kind = parameter(ResolvableType.forMethodParameter(this.method, i, this.beanType));
			if (this.parameters.contains(kind)) {
				throw new ShapeException("more than one of its parameters is of a kind that it can have once");
			}
			this.parameters.add(kind);
		}
		if (this.requests == null) {
			throw new ShapeException("it has no parameter for the request");
		}
		return new MethodShape(this.requests, responses(), List.copyOf(this.parameters));
	}

	private ParameterKind parameter(ResolvableType parameter) throws ShapeException {
		refuseKotlin(parameter);
		Class<?> type = parameter.resolve();
		if (type == Metadata.class) {
			return ParameterKind.METADATA;
		}
		if (type == GrpcCallContext.class) {
			return ParameterKind.CONTEXT;
		}
		if (type == GrpcSink.class) {
			if (parameter.getGeneric(0).resolve() != this.rpc.response()) {
				throw new ShapeException("its parameter " + parameter + " takes other responses");
			}
			return ParameterKind.SINK;
		}
		RequestKind kind = RequestKind.of(parameter, this.rpc.request());
		if (kind == null) {
			throw new ShapeException("its parameter of type " + parameter + " is none that it can have");
		}
		if ((kind == RequestKind.MESSAGE) != this.rpc.takesOneRequest()) {
			throw new ShapeException("its parameter of type " + parameter + " is for "
					+ (this.rpc.takesOneRequest() ? "many requests" : "a single request"));
		}
		if (this.requests != null) {
			throw new ShapeException("more than one of its parameters takes requests");
		}
		this.requests = kind;
		return ParameterKind.REQUESTS;
	}

	private ResponseKind responses() throws ShapeException {
		ResolvableType result = ResolvableType.forMethodReturnType(this.method, this.beanType);
		refuseKotlin(result);
		boolean nothing = result.resolve() == void.class || result.toClass().getName().equals(UNIT);
		if (nothing != this.parameters.contains(ParameterKind.SINK)) {
			throw new ShapeException(nothing ? "it returns nothing and has no GrpcSink parameter"
					: "it has a GrpcSink parameter and returns something");
		}
		ResponseKind kind = nothing ? ResponseKind.SINK : ResponseKind.of(result, this.rpc.response());
		if (kind == null) {
			throw new ShapeException("its result of type " + result + " is none that it can have");
		}
		if (kind.isMany() == this.rpc.givesOneResponse()) {
			throw new ShapeException((nothing ? "a GrpcSink" : "its result of type " + result) + " is for "
					+ (kind.isMany() ? "many responses" : "a single response"));
		}
		return kind;
	}

	private static void refuseKotlin(ResolvableType type) throws ShapeException {
		String name = type.toClass().getName();
		if (name.equals(CONTINUATION)) {
			throw new ShapeException("it is a suspend function, which plain methods cannot be yet; extend the "
					+ "coroutine stub (CoroutineImplBase) for suspend functions");
		}
		if (name.startsWith(KOTLIN_FLOWS)) {
			throw new ShapeException("it uses a Flow of kotlinx.coroutines, which plain methods cannot do yet; extend "
					+ "the coroutine stub (CoroutineImplBase) for it");
		}
	}

	/**
	 * A method cannot serve its RPC. The message completes the sentence that names both.
	 */
	static final class ShapeException extends Exception {

		private static final long serialVersionUID = 1L;

		ShapeException(String message) {
			super(message);
		}

	}

}
