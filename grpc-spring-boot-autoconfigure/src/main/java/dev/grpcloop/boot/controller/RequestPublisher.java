package dev.grpcloop.boot.controller;

import java.util.Objects;
import java.util.concurrent.Flow;

import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the requests of a call to one subscriber, in the callbacks that bring them.
 * The client is asked for what the subscriber asks for, in small portions.
 *
 * @param <Q> the type of the requests
 */
class RequestPublisher<Q> implements RequestSource<Q>, Flow.Publisher<Q>, Flow.Subscription {

	/** The most requests that are under way. */
	private static final int PORTION = 16;

	private final ServerCall<Q, ?> call;

	// guarded by this

	private Flow.@Nullable Subscriber<? super Q> subscriber;

	/** The subscriber knows of its subscription: it may be told of more. */
	private boolean subscribed;

	private long demand;

	private int underWay;

	private boolean ended;

	private @Nullable Throwable failure;

	private boolean done;

	RequestPublisher(ServerCall<Q, ?> call) {
		this.call = call;
	}

	@Override
	public void open() {
		// the subscriber asks
	}

	@Override
	public Object argument() {
		return this;
	}

	@Override
	public void subscribe(Flow.Subscriber<? super Q> subscriber) {
		Objects.requireNonNull(subscriber, "subscriber");
		synchronized (this) {
			if (this.subscriber != null) {
				reject(subscriber);
				return;
			}
			this.subscriber = subscriber;
		}
		subscriber.onSubscribe(this);
		synchronized (this) {
			this.subscribed = true;
		}
		pull();
		tellEnd();
	}

	private static void reject(Flow.Subscriber<?> subscriber) {
		subscriber.onSubscribe(new Flow.Subscription() {

			@Override
			public void request(long count) {
				// there is nothing
			}

			@Override
			public void cancel() {
				// it never began
			}

		});
		subscriber.onError(new IllegalStateException("The requests of a call can be subscribed to once"));
	}

	@Override
	public void request(long count) {
		synchronized (this) {
			if (count <= 0) {
				if (this.failure == null) {
					this.failure = new IllegalArgumentException(
							"A subscriber must ask for at least one, not for " + count);
				}
			}
			else {
				long sum = this.demand + count;
				this.demand = (sum < 0) ? Long.MAX_VALUE : sum;
			}
		}
		if (count > 0) {
			pull();
		}
		else {
			tellEnd();
		}
	}

	@Override
	public void cancel() {
		synchronized (this) {
			this.done = true;
		}
	}

	private void pull() {
		int portion;
		synchronized (this) {
			if (!this.subscribed || this.done || this.ended) {
				return;
			}
			portion = (int) Math.min(this.demand, PORTION) - this.underWay;
			if (portion <= 0 || (portion < PORTION / 2 && this.underWay > 0 && this.demand > PORTION)) {
				return;
			}
			this.underWay += portion;
		}
		this.call.request(portion);
	}

	@Override
	public void add(Q request) {
		Flow.Subscriber<? super Q> subscriber;
		synchronized (this) {
			this.underWay--;
			if (this.demand != Long.MAX_VALUE) {
				this.demand--;
			}
			subscriber = this.done ? null : this.subscriber;
		}
		if (subscriber != null) {
			subscriber.onNext(request);
			pull();
		}
	}

	@Override
	public void end() {
		synchronized (this) {
			this.ended = true;
		}
		tellEnd();
	}

	@Override
	public void cancel(Status status, Runnable interrupt) {
		interrupt.run();
		synchronized (this) {
			if (!this.ended && this.failure == null) {
				this.failure = status.asRuntimeException();
			}
		}
		tellEnd();
	}

	private void tellEnd() {
		Flow.Subscriber<? super Q> subscriber;
		Throwable failure;
		synchronized (this) {
			subscriber = this.subscriber;
			failure = this.failure;
			if (!this.subscribed || this.done || subscriber == null || (!this.ended && failure == null)) {
				return;
			}
			this.done = true;
		}
		if (failure != null) {
			subscriber.onError(failure);
		}
		else {
			subscriber.onComplete();
		}
	}

}
