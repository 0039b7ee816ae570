package dev.grpcloop.engine.call;

import dev.grpcloop.engine.message.ProtobufMarshallers;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;

/**
 * All that is known of a method before it is called.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
public final class MethodRoute<Q, R> {

	/** The index of a method that is not in the registry's own table. */
	static final int NOT_INDEXED = -1;

	private final MethodDescriptor<Q, R> descriptor;

	private final ServerCallHandler<Q, R> handler;

	private final int index;

	private final boolean protobufRequest;

	private final boolean protobufResponse;

	private final boolean serverSendsOneMessage;

	private final boolean onEventLoop;

	MethodRoute(ServerMethodDefinition<Q, R> definition, int index, boolean onEventLoop) {
		this.descriptor = definition.getMethodDescriptor();
		this.handler = definition.getServerCallHandler();
		this.index = index;
		this.onEventLoop = onEventLoop;
		this.protobufRequest = ProtobufMarshallers.isProtobuf(this.descriptor.getRequestMarshaller());
		this.protobufResponse = ProtobufMarshallers.isProtobuf(this.descriptor.getResponseMarshaller());
		this.serverSendsOneMessage = this.descriptor.getType().serverSendsOneMessage();
	}

	MethodDescriptor<Q, R> descriptor() {
		return this.descriptor;
	}

	ServerCallHandler<Q, R> handler() {
		return this.handler;
	}

	int index() {
		return this.index;
	}

	/**
	 * Whether the method's code runs on the event loop.
	 */
	boolean onEventLoop() {
		return this.onEventLoop;
	}

	boolean protobufRequest() {
		return this.protobufRequest;
	}

	boolean protobufResponse() {
		return this.protobufResponse;
	}

	boolean serverSendsOneMessage() {
		return this.serverSendsOneMessage;
	}

}
