package dev.grpcloop.sample;

import helloworld.v1.GreeterHelloResponse;
import io.grpc.stub.ServerCallStreamObserver;

/**
 * Sends one greeting many times, as fast as the client takes them: what the client has
 * not made room for is not made yet, so that no number of greetings fills the memory.
 */
final class RepeatedGreeting {

	private final GreeterHelloResponse greeting;

	private final ServerCallStreamObserver<GreeterHelloResponse> responses;

	private int left;

	RepeatedGreeting(GreeterHelloResponse greeting, int times,
			ServerCallStreamObserver<GreeterHelloResponse> responses) {
		this.greeting = greeting;
		this.left = times;
		this.responses = responses;
	}

	void begin() {
		this.responses.setOnReadyHandler(this::sendWhileReady);
		this.responses.setOnCancelHandler(() -> this.left = 0);
	}

	private void sendWhileReady() {
		while (this.left > 0 && this.responses.isReady()) {
			this.responses.onNext(this.greeting);
			if (--this.left == 0) {
				this.responses.onCompleted();
			}
		}
	}

}
