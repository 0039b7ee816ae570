package dev.grpcloop.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.grpc.stub.StreamObserver;

/**
 * Keeps what a call answers.
 *
 * @param <R> the type of the responses
 */
final class Recorder<R> implements StreamObserver<R> {

	private static final long TIMEOUT_SECONDS = 30;

	private final BlockingQueue<R> unread = new LinkedBlockingQueue<>();

	private final List<R> received = new ArrayList<>();

	private final CompletableFuture<List<R>> end = new CompletableFuture<>();

	@Override
	public void onNext(R response) {
		this.received.add(response);
		this.unread.add(response);
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
	 * Waits for the next response and returns it.
	 */
	R next() throws InterruptedException {
		R response = this.unread.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		if (response == null) {
			throw new AssertionError("No response within " + TIMEOUT_SECONDS + " s");
		}
		return response;
	}

	/**
	 * Waits for the end of the call and returns all that came.
	 */
	List<R> all() throws Exception {
		return this.end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
	}

}
