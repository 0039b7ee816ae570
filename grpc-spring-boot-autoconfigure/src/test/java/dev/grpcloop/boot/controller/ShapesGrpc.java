package dev.grpcloop.boot.controller;

import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoUtils;

/**
 * What a generated class would be for a service with an RPC for each shape of a method.
 */
public final class ShapesGrpc {

	static final List<String> REQUESTS = List.of("Iterator", "Stream", "Publisher", "Flux");

	static final List<String> RESPONSE = List.of("Message", "Stage", "Mono");

	static final List<String> RESPONSES = List.of("Iterator", "Stream", "Publisher", "Flux", "Sink");

	private static final ServiceDescriptor DESCRIPTOR = descriptor();

	private ShapesGrpc() {
	}

	public static ServiceDescriptor getServiceDescriptor() {
		return DESCRIPTOR;
	}

	@SuppressWarnings("unchecked")
	static MethodDescriptor<HelloRequest, HelloResponse> method(String name) {
		return (MethodDescriptor<HelloRequest, HelloResponse>) DESCRIPTOR.getMethods()
			.stream()
			.filter((method) -> name.equals(method.getBareMethodName()))
			.findFirst()
			.orElseThrow();
	}

	private static ServiceDescriptor descriptor() {
		ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder("test.v1.Shapes");
		names().forEach((name) -> descriptor.addMethod(method("test.v1.Shapes/" + name, type(name))));
		return descriptor.build();
	}

	static Stream<String> names() {
		Stream<String> unary = RESPONSE.stream().map((response) -> "Unary" + response);
		Stream<String> server = RESPONSES.stream().map((responses) -> "Server" + responses);
		Stream<String> client = REQUESTS.stream()
			.flatMap((requests) -> RESPONSE.stream().map((response) -> "Client" + requests + response));
		Stream<String> bidi = REQUESTS.stream()
			.flatMap((requests) -> RESPONSES.stream().map((responses) -> "Bidi" + requests + responses));
		return Stream.of(unary, server, client, bidi).flatMap((kind) -> kind);
	}

	private static MethodType type(String name) {
		if (name.startsWith("Unary")) {
			return MethodType.UNARY;
		}
		if (name.startsWith("Server")) {
			return MethodType.SERVER_STREAMING;
		}
		return name.startsWith("Client") ? MethodType.CLIENT_STREAMING : MethodType.BIDI_STREAMING;
	}

	static MethodDescriptor<HelloRequest, HelloResponse> method(String fullName, MethodType type) {
		return MethodDescriptor.<HelloRequest, HelloResponse>newBuilder()
			.setType(type)
			.setFullMethodName(fullName)
			.setRequestMarshaller(ProtoUtils.marshaller(HelloRequest.getDefaultInstance()))
			.setResponseMarshaller(ProtoUtils.marshaller(HelloResponse.getDefaultInstance()))
			.build();
	}

}
