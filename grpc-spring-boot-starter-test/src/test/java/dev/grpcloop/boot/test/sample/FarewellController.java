package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.HelloRequest;
import dev.grpcloop.boot.test.v1.HelloResponse;

@GrpcController(FarewellGrpc.class)
public class FarewellController {

	public HelloResponse bye(HelloRequest request) {
		return HelloResponse.newBuilder().setMessage("Bye " + request.getName()).build();
	}

}
