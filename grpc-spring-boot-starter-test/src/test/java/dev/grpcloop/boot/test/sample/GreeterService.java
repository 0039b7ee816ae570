package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.stub.StreamObserver;

import org.springframework.grpc.server.service.GrpcService;

@GrpcService
public class GreeterService extends GreeterGrpc.GreeterImplBase {

	private final Greetings greetings;

	GreeterService(Greetings greetings) {
		this.greetings = greetings;
	}

	@Override
	public void hello(HelloRequest request, StreamObserver<HelloResponse> responses) {
		responses.onNext(HelloResponse.newBuilder().setMessage(this.greetings.greet(request.getName())).build());
		responses.onCompleted();
	}

	/** Never ends. */
	@Override
	public void repeat(HelloRequest request, StreamObserver<HelloResponse> responses) {
		responses.onNext(HelloResponse.newBuilder().setMessage("first").build());
	}

}
