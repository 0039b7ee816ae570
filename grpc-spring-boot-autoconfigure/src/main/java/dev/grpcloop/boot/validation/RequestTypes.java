package dev.grpcloop.boot.validation;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import org.jspecify.annotations.Nullable;

/**
 * What the marshaller of a method tells of its requests.
 */
final class RequestTypes {

	private RequestTypes() {
	}

	/**
	 * Returns the class of the requests.
	 * @param method the method
	 * @return the class, or {@code null} if the marshaller does not tell
	 */
	static @Nullable Class<?> classOf(MethodDescriptor<?, ?> method) {
		return (method.getRequestMarshaller() instanceof ReflectableMarshaller<?> marshaller)
				? marshaller.getMessageClass() : null;
	}

	/**
	 * Returns an empty request.
	 * @param method the method
	 * @return the request, or {@code null} if it is no message of protobuf that knows its
	 * own descriptor
	 */
	static @Nullable Message emptyMessage(MethodDescriptor<?, ?> method) {
		return (method.getRequestMarshaller() instanceof PrototypeMarshaller<?> marshaller
				&& marshaller.getMessagePrototype() instanceof Message message) ? message : null;
	}

}
