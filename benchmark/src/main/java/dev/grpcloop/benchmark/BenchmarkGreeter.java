package dev.grpcloop.benchmark;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.stub.StreamObserver;

/**
 * The unary method of the sample application, for servers without Spring.
 */
final class BenchmarkGreeter extends GreeterGrpc.GreeterImplBase {

	@Override
	public void hello(GreeterHelloRequest request, StreamObserver<GreeterHelloResponse> responses) {
		responses.onNext(answer(request.getName()));
		responses.onCompleted();
	}

	/**
	 * What every server has to answer.
	 * @param name the name in the request
	 * @return the response
	 */
	static GreeterHelloResponse answer(String name) {
		return GreeterHelloResponse.newBuilder().setMessage("Hello `" + name + "` 👋").build();
	}

}
