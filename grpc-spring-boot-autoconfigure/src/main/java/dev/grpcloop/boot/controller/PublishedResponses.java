package dev.grpcloop.boot.controller;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The responses that a publisher gives. They are asked for in small batches, each when
 * the one before has come and the call is ready: a client that does not read stops the
 * publisher.
 *
 * @param <R> the type of the responses
 */
final class PublishedResponses<R> implements Flow.Subscriber<R>, Responding {

	/** How many responses may come when the call is not ready any more. */
	private static final int BATCH = 16;

	private final CallResponses<?> responses;

	private final AtomicInteger outstanding = new AtomicInteger();

	private volatile Flow.@Nullable Subscription subscription;

	private volatile boolean cancelled;

	private boolean ended;

	PublishedResponses(CallResponses<?> responses) {
		this.responses = responses;
	}

	@Override
	public void onSubscribe(Flow.Subscription subscription) {
		if (this.subscription != null) {
			subscription.cancel();
			return;
		}
		this.subscription = subscription;
		if (this.cancelled) {
			subscription.cancel();
			return;
		}
		ready();
	}

	@Override
	public void ready() {
		Flow.Subscription subscription = this.subscription;
		if (subscription != null && !this.cancelled && this.responses.call().isReady()
				&& this.outstanding.compareAndSet(0, BATCH)) {
			subscription.request(BATCH);
		}
	}

	@Override
	public void onNext(@Nullable R response) {
		if (this.cancelled) {
			return;
		}
		if (this.ended) {
			this.responses.violation("has published a response after the end");
			return;
		}
		try {
			if (!this.responses.send(response)) {
				stop();
				return;
			}
		}
		catch (RuntimeException ex) {
			stop();
			this.responses.fail(ex);
			return;
		}
		if (this.outstanding.decrementAndGet() == 0) {
			ready();
		}
	}

	private void stop() {
		this.ended = true;
		cancel();
	}

	@Override
	public void onError(Throwable failure) {
		if (this.cancelled) {
			return;
		}
		this.ended = true;
		this.responses.fail(failure);
	}

	@Override
	public void onComplete() {
		if (this.cancelled) {
			return;
		}
		this.ended = true;
		this.responses.complete();
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		Flow.Subscription subscription = this.subscription;
		if (subscription != null) {
			subscription.cancel();
		}
	}

}
