package dev.grpcloop.boot.controller;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Calls a method with all requests at the beginning of the call, before there is any.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class ManyRequestsListener<Q, R> extends CallListener<Q, R> {

	private final RequestSource<Q> requests;

	private final @Nullable Runner runner;

	ManyRequestsListener(BoundMethod method, ServerCall<Q, R> call, Metadata headers, RequestSource<Q> requests,
			@Nullable Runner runner) {
		super(method, call, headers);
		this.requests = requests;
		this.runner = runner;
	}

	/**
	 * Begins the call.
	 * @throws java.util.concurrent.RejectedExecutionException if there is no thread for
	 * it
	 */
	void start() {
		if (this.runner != null) {
			this.runner.execute(this::run);
		}
		else {
			invoke(this.requests.argument(), null);
		}
		this.requests.open();
	}

	private void run() {
		if (!isOver()) {
			invoke(this.requests.argument(), this.runner);
		}
	}

	@Override
	public void onMessage(Q request) {
		this.requests.add(request);
	}

	@Override
	public void onHalfClose() {
		this.requests.end();
	}

	/**
	 * {@inheritDoc} The thread that waits hears it from the requests; one that waits for
	 * something else is interrupted.
	 */
	@Override
	void ended(Status status) {
		this.requests.cancel(status, this::interrupt);
	}

	private void interrupt() {
		if (this.runner != null && !responses().isClosed()) {
			this.runner.interrupt();
		}
	}

}
