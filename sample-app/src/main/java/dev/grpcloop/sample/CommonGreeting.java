package dev.grpcloop.sample;

import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/**
 * Collects a stream of names into one greeting. Keeps the first name and a count, never
 * the whole stream.
 */
final class CommonGreeting implements StreamObserver<GreeterHelloRequest> {

	private final StreamObserver<GreeterHelloResponse> responses;

	private String first = "";

	private long names;

	CommonGreeting(StreamObserver<GreeterHelloResponse> responses) {
		this.responses = responses;
	}

	@Override
	public void onNext(GreeterHelloRequest request) {
		if (this.names++ == 0) {
			this.first = request.getName();
		}
	}

	@Override
	public void onError(Throwable failure) {
		// the client has cancelled: nobody waits for an answer
	}

	@Override
	public void onCompleted() {
		if (this.names == 0) {
			this.responses.onError(
					Status.INVALID_ARGUMENT.withDescription("no name came; send at least one").asRuntimeException());
			return;
		}
		this.responses.onNext(answer());
		this.responses.onCompleted();
	}

	private GreeterHelloResponse answer() {
		if (this.names == 1) {
			return GreeterService.greet(this.first);
		}
		return GreeterService.greeting("Hello `" + this.first + "` and " + (this.names - 1) + " more 👋");
	}

}
