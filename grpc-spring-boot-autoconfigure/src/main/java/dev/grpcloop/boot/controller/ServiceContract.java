package dev.grpcloop.boot.controller;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import io.grpc.ServiceDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ReflectionUtils;

/**
 * What a generated class says of its service.
 *
 * @param descriptor the service
 * @param rpcs its RPCs, in the order of the {@code .proto} file
 */
record ServiceContract(ServiceDescriptor descriptor, List<RpcContract> rpcs) {

	static final String DESCRIPTOR_METHOD = "getServiceDescriptor";

	/**
	 * Reads a generated class.
	 * @param generated the class, such as {@code GreeterGrpc}
	 * @param user who names it, for the messages
	 * @return the contract
	 * @throws FailureAnalyzedException if it is no such class, or does not say which
	 * messages there are
	 */
	static ServiceContract of(Class<?> generated, String user) {
		ServiceDescriptor descriptor = descriptor(generated, user);
		List<RpcContract> rpcs = new ArrayList<>();
		for (MethodDescriptor<?, ?> method : descriptor.getMethods()) {
			rpcs.add(new RpcContract(method, messageType(method, method.getRequestMarshaller(), "requests", user),
					messageType(method, method.getResponseMarshaller(), "responses", user)));
		}
		return new ServiceContract(descriptor, List.copyOf(rpcs));
	}

	private static ServiceDescriptor descriptor(Class<?> generated, String user) {
		Method method = ReflectionUtils.findMethod(generated, DESCRIPTOR_METHOD);
		if (method == null || !Modifier.isStatic(method.getModifiers())
				|| !ServiceDescriptor.class.isAssignableFrom(method.getReturnType())) {
			throw new FailureAnalyzedException(
					user + " is a @GrpcController of " + generated.getName() + ", which has no static method "
							+ DESCRIPTOR_METHOD + "() that returns an "
							+ "io.grpc.ServiceDescriptor: it is no class that protoc-gen-grpc-java has generated.",
					"Name the generated class of the service, its name ends in Grpc: "
							+ "@GrpcController(GreeterGrpc.class).");
		}
		try {
			ReflectionUtils.makeAccessible(method);
			return (ServiceDescriptor) method.invoke(null);
		}
		catch (InvocationTargetException | IllegalAccessException ex) {
			throw new FailureAnalyzedException(
					user + " is a @GrpcController of " + generated.getName() + ", whose " + DESCRIPTOR_METHOD
							+ "() failed: " + Failures.unwrap(ex),
					"The generated code may be older than the grpc-java or protobuf on the class path: "
							+ "generate it again.",
					ex);
		}
	}

	private static Class<?> messageType(MethodDescriptor<?, ?> method, MethodDescriptor.Marshaller<?> marshaller,
			String role, String user) {
		Class<?> type = reflected(marshaller);
		if (type == null) {
			throw new FailureAnalyzedException(
					user + " is a @GrpcController of " + method.getServiceName() + ", but the type of the " + role
							+ " of " + method.getFullMethodName() + " is not known: its marshaller ("
							+ marshaller.getClass().getName() + ") is no "
							+ "io.grpc.MethodDescriptor.ReflectableMarshaller with a message class.",
					"Make the marshaller a ReflectableMarshaller, as those of protobuf are, or serve this service "
							+ "with a class that extends its generated ImplBase.");
		}
		return type;
	}

	private static @Nullable Class<?> reflected(MethodDescriptor.Marshaller<?> marshaller) {
		return (marshaller instanceof ReflectableMarshaller<?> reflectable) ? reflectable.getMessageClass() : null;
	}

	/** The types of all its messages. */
	Set<Class<?>> messageTypes() {
		Set<Class<?>> types = new LinkedHashSet<>();
		this.rpcs.forEach((rpc) -> {
			types.add(rpc.request());
			types.add(rpc.response());
		});
		return types;
	}

}
