package dev.grpcloop.boot.controller;

import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.GrpcSink;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Takes responses from whichever thread has one.
 *
 * @param <R> the type of the responses
 */
final class CallSink<R> implements GrpcSink<R>, Responding {

	private final SharedResponses<R> responses;

	/** How often the call has become ready; whoever takes it from 0 runs the action. */
	private final AtomicInteger readySignals = new AtomicInteger();

	private volatile boolean methodReturned;

	private volatile boolean cancelled;

	private volatile @Nullable Runnable onReady;

	private @Nullable Runnable onCancel;

	private volatile boolean heedsCancel;

	CallSink(SharedResponses<R> responses) {
		this.responses = responses;
	}

	@Override
	public void emit(R response) {
		if (response != null && isCancelled() && !this.heedsCancel) {
			throw Status.CANCELLED
				.withDescription("The call was cancelled; a method that gives GrpcSink.onCancel an action is not told"
						+ " by this exception")
				.asRuntimeException();
		}
		if (!this.responses.sendIfOpen(response)) {
			this.responses.violation("has emitted a response after the end");
			throw new IllegalStateException("The call has ended: there can be no further response");
		}
		if (response == null) {
			throw new NullPointerException("A response must not be null");
		}
	}

	@Override
	public void complete() {
		this.responses.complete();
	}

	@Override
	public void error(Throwable failure) {
		this.responses.fail(failure);
	}

	@Override
	public boolean isReady() {
		return this.responses.call().isReady();
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled || this.responses.call().isCancelled();
	}

	@Override
	public void onReady(Runnable action) {
		this.onReady = action;
		if (this.methodReturned && isReady()) {
			ready();
		}
	}

	@Override
	public void onCancel(Runnable action) {
		synchronized (this) {
			this.heedsCancel = true;
			if (!this.cancelled) {
				this.onCancel = action;
				return;
			}
		}
		action.run();
	}

	/**
	 * The method has returned: what it wants to do when the call is ready may begin.
	 */
	void methodReturned() {
		this.methodReturned = true;
		if (this.onReady != null && isReady()) {
			ready();
		}
	}

	@Override
	public void ready() {
		Runnable action = this.onReady;
		if (action == null || this.readySignals.getAndIncrement() != 0) {
			return;
		}
		int seen = 1;
		do {
			try {
				action.run();
			}
			catch (Throwable ex) {
				this.responses.fail(ex);
			}
			seen = this.readySignals.addAndGet(-seen);
		}
		while (seen != 0);
	}

	@Override
	public void cancel() {
		Runnable action;
		synchronized (this) {
			this.cancelled = true;
			action = this.onCancel;
			this.onCancel = null;
		}
		if (action != null) {
			action.run();
		}
	}

}
