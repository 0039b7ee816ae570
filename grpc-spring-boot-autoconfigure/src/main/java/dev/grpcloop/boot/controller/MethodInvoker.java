package dev.grpcloop.boot.controller;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

import dev.grpcloop.boot.GrpcCallContext;
import dev.grpcloop.boot.GrpcSink;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean: nothing is looked up, boxed or put into arrays for a call.
 */
final class MethodInvoker {

	private final MethodHandle handle;

	private MethodInvoker(MethodHandle handle) {
		this.handle = handle;
	}

	/**
	 * Binds a method.
	 * @param bean the bean, or its proxy
	 * @param method the method to call on it
	 * @param shape what its parameters are
	 * @return what calls it
	 * @throws FailureAnalyzedException if Java does not let it be called
	 */
	static MethodInvoker of(Object bean, Method method, MethodShape shape) {
		try {
			ReflectionUtils.makeAccessible(method);
			MethodHandle handle = MethodHandles.lookup().unreflect(method).asFixedArity().bindTo(bean);
			int[] order = shape.parameters().stream().mapToInt(ParameterKind::ordinal).toArray();
			MethodType type = MethodType.methodType(Object.class,
					shape.parameters().stream().<Class<?>>map(ParameterKind::type).toList());
			return new MethodInvoker(
					MethodHandles.permuteArguments(handle.asType(type), ParameterKind.ARGUMENTS, order));
		}
		catch (IllegalAccessException | RuntimeException ex) {
			throw new FailureAnalyzedException(
					ControllerMethods.describe(method) + " cannot be called: " + ex.getMessage(),
					"Open the package of its class to all modules, or make the class public.", ex);
		}
	}

	/**
	 * Calls the method with those of the arguments that it has parameters for.
	 * @throws Throwable what the method throws
	 */
	@Nullable Object invoke(Object requests, @Nullable Metadata headers, @Nullable GrpcCallContext context,
			@Nullable GrpcSink<?> sink) throws Throwable {
		return (Object) this.handle.invokeExact(requests, headers, context, sink);
	}

}
