package dev.grpcloop.sample.monitoring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.grpcloop.boot.NonBlocking;
import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * Says that it does not block, and does.
 */
@NonBlocking
class BlockingService implements BindableService {

	static final String NAME = "test.Blocking";

	static final MethodDescriptor<GreeterHelloRequest, GreeterHelloResponse> METHOD = GreeterGrpc.getHelloMethod()
		.toBuilder()
		.setFullMethodName(NAME + "/Block")
		.setSchemaDescriptor(null)
		.build();

	/** For how many milliseconds service code may hold an event loop. */
	static final int THRESHOLD = 50;

	@Override
	public ServerServiceDefinition bindService() {
		return ServerServiceDefinition.builder(NAME).addMethod(METHOD, ServerCalls.asyncUnaryCall(this::block)).build();
	}

	private void block(GreeterHelloRequest request, StreamObserver<GreeterHelloResponse> responses) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3 * THRESHOLD));
		responses.onNext(GreeterHelloResponse.getDefaultInstance());
		responses.onCompleted();
	}

}
