package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import io.grpc.ServiceDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Which Java methods of a service's class serve its RPCs. They have the generated name of
 * the RPC.
 */
final class ServiceMethods {

	private ServiceMethods() {
	}

	/**
	 * Looks for the methods.
	 * @param type the class of the service
	 * @param service its RPCs
	 * @return full name of an RPC to its method; without those that have none
	 */
	static Map<String, Method> of(Class<?> type, ServiceDescriptor service) {
		Method[] methods = ReflectionUtils.getUniqueDeclaredMethods(type);
		Map<String, Method> found = new LinkedHashMap<>();
		for (MethodDescriptor<?, ?> rpc : service.getMethods()) {
			Method method = find(methods, JavaMethodNames.of(rpc), requestType(rpc));
			if (method != null) {
				found.put(rpc.getFullMethodName(), method);
			}
		}
		return found;
	}

	/**
	 * Other generators give one RPC several methods, of which authors override one; an
	 * author may have helpers of the same name.
	 */
	private static @Nullable Method find(Method[] methods, String name, @Nullable Class<?> requestType) {
		return Stream.of(methods)
			.filter((method) -> method.getName().equals(name) && isInstanceMethod(method))
			.max(Comparator.<Method>comparingInt((method) -> likeness(method, requestType))
				.thenComparing(Method::getDeclaringClass, ServiceMethods::compareDepth))
			.orElse(null);
	}

	private static boolean isInstanceMethod(Method method) {
		int modifiers = method.getModifiers();
		return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && !method.isBridge();
	}

	/** The forms differ in their parameters: the message, or a stream of messages. */
	private static int likeness(Method method, @Nullable Class<?> requestType) {
		Class<?>[] parameters = method.getParameterTypes();
		if (parameters.length == 0 || parameters.length > 2) {
			return 0;
		}
		boolean known = parameters[0] == requestType || !isPlain(parameters[0]);
		return known ? 1 : 0;
	}

	private static boolean isPlain(Class<?> type) {
		return type.isPrimitive() || type.getTypeParameters().length == 0;
	}

	private static int compareDepth(Class<?> first, Class<?> second) {
		if (first == second) {
			return 0;
		}
		return first.isAssignableFrom(second) ? -1 : 1;
	}

	private static @Nullable Class<?> requestType(MethodDescriptor<?, ?> rpc) {
		return (rpc.getRequestMarshaller() instanceof ReflectableMarshaller<?> marshaller)
				? marshaller.getMessageClass() : null;
	}

}
