package dev.grpcloop.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import helloworld.v1.GreeterHelloResponse;
import io.grpc.stub.StreamObserver;

/**
 * Keeps the texts that a call answers.
 */
final class Recorder implements StreamObserver<GreeterHelloResponse> {

	private static final long TIMEOUT_SECONDS = 30;

	private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();

	private final List<String> received = new ArrayList<>();

	private final CompletableFuture<List<String>> end = new CompletableFuture<>();

	@Override
	public void onNext(GreeterHelloResponse response) {
		this.received.add(response.getMessage());
		this.unread.add(response.getMessage());
	}

	@Override
	public void onError(Throwable failure) {
		this.end.completeExceptionally(failure);
	}

	@Override
	public void onCompleted() {
		this.end.complete(this.received);
	}

	/**
	 * Waits for the next response and returns its text.
	 */
	String next() throws InterruptedException {
		String response = this.unread.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		if (response == null) {
			throw new AssertionError("No response within " + TIMEOUT_SECONDS + " s");
		}
		return response;
	}

	/**
	 * Waits for the end of the call and returns all that came.
	 */
	List<String> all() throws Exception {
		return this.end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
	}

}
