package dev.grpcloop.sample;

import helloworld.v1.GreeterGrpc;
import helloworld.v1.GreeterHelloRepeatedlyRequest;
import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.springframework.grpc.server.service.GrpcService;

/**
 * The four kinds of call, written as for any grpc-java server. None of the methods
 * blocks, so that they may run on the event loop as well as off it.
 */
@GrpcService
class GreeterService extends GreeterGrpc.GreeterImplBase {

	private static final int DEFAULT_TIMES = 3;

	@Override
	public void hello(GreeterHelloRequest request, StreamObserver<GreeterHelloResponse> responses) {
		responses.onNext(greet(request.getName()));
		responses.onCompleted();
	}

	@Override
	public void helloRepeatedly(GreeterHelloRepeatedlyRequest request, StreamObserver<GreeterHelloResponse> responses) {
		if (request.getTimes() < 0) {
			responses.onError(Status.INVALID_ARGUMENT
				.withDescription(
						"times is " + request.getTimes() + "; it must be at least 1, or 0 for " + DEFAULT_TIMES)
				.asRuntimeException());
			return;
		}
		int times = (request.getTimes() > 0) ? request.getTimes() : DEFAULT_TIMES;
		new RepeatedGreeting(greet(request.getName()), times,
				(ServerCallStreamObserver<GreeterHelloResponse>) responses)
			.begin();
	}

	@Override
	public StreamObserver<GreeterHelloRequest> helloTogether(StreamObserver<GreeterHelloResponse> responses) {
		return new CommonGreeting(responses);
	}

	@Override
	public StreamObserver<GreeterHelloRequest> helloEach(StreamObserver<GreeterHelloResponse> responses) {
		return new EachGreeting((ServerCallStreamObserver<GreeterHelloResponse>) responses).begin();
	}

	static GreeterHelloResponse greet(String name) {
		return greeting("Hello `" + name + "` 👋");
	}

	static GreeterHelloResponse greeting(String text) {
		return GreeterHelloResponse.newBuilder().setMessage(text).build();
	}

}
