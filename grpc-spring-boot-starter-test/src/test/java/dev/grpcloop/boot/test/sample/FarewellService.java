package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;
import io.grpc.stub.StreamObserver;

import org.springframework.grpc.server.service.GrpcService;

@GrpcService
public class FarewellService extends FarewellGrpc.FarewellImplBase {

	@Override
	public void bye(HelloRequest request, StreamObserver<HelloResponse> responses) {
		responses.onNext(HelloResponse.newBuilder().setMessage("Bye " + request.getName()).build());
		responses.onCompleted();
	}

}
