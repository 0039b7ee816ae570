package dev.grpcloop.engine.message;

import io.grpc.MethodDescriptor.Marshaller;

/**
 * Tells grpc-protobuf's own marshaller from all others.
 */
public final class ProtobufMarshallers {

	private static final String CLASS_NAME = "io.grpc.protobuf.lite.ProtoLiteUtils$MessageMarshaller";

	private ProtobufMarshallers() {
	}

	/**
	 * Whether a marshaller is grpc-protobuf's own, so that what it would write is known
	 * to be exactly the message's protobuf form, and what it is given to parse is known
	 * not to be kept. Another marshaller that has a prototype may encrypt or write JSON.
	 * @param marshaller a method's marshaller
	 * @return whether it is exactly grpc-protobuf's
	 */
	public static boolean isProtobuf(Marshaller<?> marshaller) {
		return marshaller.getClass().getName().equals(CLASS_NAME);
	}

}
