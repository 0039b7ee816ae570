package dev.grpcloop.sample;

import helloworld.v1.GreeterHelloRequest;
import helloworld.v1.GreeterHelloResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * Answers each name of a stream. Asks for the next name only while the client takes the
 * greetings, so that a client that sends without reading holds back itself.
 */
final class EachGreeting implements StreamObserver<GreeterHelloRequest> {

	private final ServerCallStreamObserver<GreeterHelloResponse> responses;

	private boolean nameAsked;

	EachGreeting(ServerCallStreamObserver<GreeterHelloResponse> responses) {
		this.responses = responses;
	}

	EachGreeting begin() {
		this.responses.disableAutoRequest();
		this.responses.setOnReadyHandler(this::askIfReady);
		return this;
	}

	private void askIfReady() {
		if (!this.nameAsked && this.responses.isReady()) {
			this.nameAsked = true;
			this.responses.request(1);
		}
	}

	@Override
	public void onNext(GreeterHelloRequest request) {
		this.nameAsked = false;
		this.responses.onNext(GreeterService.greet(request.getName()));
		askIfReady();
	}

	@Override
	public void onError(Throwable failure) {
		// the client has cancelled: nobody waits for an answer
	}

	@Override
	public void onCompleted() {
		this.responses.onCompleted();
	}

}
