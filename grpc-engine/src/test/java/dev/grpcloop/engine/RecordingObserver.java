package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

/**
 * What a client is told, to be waited for.
 *
 * @param <T> the type of the responses
 */
class RecordingObserver<T> implements StreamObserver<T> {

	private static final int TIMEOUT_SECONDS = 30;

	private final LinkedBlockingQueue<T> values = new LinkedBlockingQueue<>();

	private final CompletableFuture<StatusRuntimeException> end = new CompletableFuture<>();

	@Override
	public void onNext(T value) {
		this.values.add(value);
	}

	@Override
	public void onError(Throwable error) {
		Metadata trailers = Status.trailersFromThrowable(error);
		this.end.complete(Status.fromThrowable(error).asRuntimeException(trailers));
	}

	@Override
	public void onCompleted() {
		this.end.complete(Status.OK.asRuntimeException());
	}

	/**
	 * Waits for a response and takes it.
	 */
	T next() throws InterruptedException {
		T value = this.values.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		if (value == null) {
			throw new AssertionError(
					"no response" + (this.end.isDone() ? "; the call ended with " + this.end.join() : ""));
		}
		return value;
	}

	int received() {
		return this.values.size();
	}

	boolean hasEnded() {
		return this.end.isDone();
	}

	/**
	 * Waits for the end.
	 * @return the status, and the trailers if it is an error
	 */
	StatusRuntimeException end() throws InterruptedException {
		try {
			return this.end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new AssertionError("the call has not ended", ex);
		}
	}

	Status status() throws InterruptedException {
		return end().getStatus();
	}

	/**
	 * Waits for the end and takes the responses that are left.
	 */
	List<T> all() throws InterruptedException {
		Status status = status();
		if (!status.isOk()) {
			throw new AssertionError("the call ended with " + status);
		}
		List<T> all = new ArrayList<>();
		this.values.drainTo(all);
		return all;
	}

}
