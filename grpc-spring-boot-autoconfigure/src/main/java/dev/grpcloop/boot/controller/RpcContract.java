package dev.grpcloop.boot.controller;

import dev.grpcloop.boot.service.JavaMethodNames;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/**
 * An RPC of a service.
 *
 * @param descriptor its name, kind and marshallers
 * @param request the class of its requests
 * @param response the class of its responses
 */
record RpcContract(MethodDescriptor<?, ?> descriptor, Class<?> request, Class<?> response) {

	/** As the {@code .proto} file has it. */
	String bareName() {
		return String.valueOf(this.descriptor.getBareMethodName());
	}

	String fullName() {
		return this.descriptor.getFullMethodName();
	}

	String javaName() {
		return JavaMethodNames.of(this.descriptor);
	}

	boolean takesOneRequest() {
		return this.descriptor.getType().clientSendsOneMessage();
	}

	boolean givesOneResponse() {
		return this.descriptor.getType().serverSendsOneMessage();
	}

	/**
	 * Says what kind of RPC this is.
	 * @return for example {@code test.v1.Greeter/Chat (stream HelloRequest) returns
	 * (stream HelloResponse)}
	 */
	String describe() {
		MethodType type = this.descriptor.getType();
		return fullName() + " (" + (type.clientSendsOneMessage() ? "" : "stream ") + this.request.getSimpleName()
				+ ") returns (" + (type.serverSendsOneMessage() ? "" : "stream ") + this.response.getSimpleName() + ")";
	}

}
