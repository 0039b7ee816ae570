package dev.grpcloop.boot.controller;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.StreamSupport;

import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Requests between the callbacks that bring them and a method that waits for them. No
 * more are asked for than there are places: a method that is slow slows its client down.
 *
 * @param <Q> the type of the requests
 */
final class RequestQueue<Q> implements RequestSource<Q>, Iterator<Q> {

	/** The most requests that wait. */
	static final int CAPACITY = 16;

	/** So many free places are worth asking the client for more. */
	private static final int REFILL = CAPACITY / 2;

	private final ServerCall<Q, ?> call;

	private final boolean stream;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Q> waiting = new ArrayDeque<>(CAPACITY);

	private int freePlaces;

	private boolean ended;

	private @Nullable Status cancelled;

	/**
	 * A queue of a call.
	 * @param stream whether the method wants a stream, else an iterator
	 */
	RequestQueue(ServerCall<Q, ?> call, boolean stream) {
		this.call = call;
		this.stream = stream;
	}

	@Override
	public void open() {
		this.call.request(CAPACITY);
	}

	@Override
	public Object argument() {
		return this.stream
				? StreamSupport
					.stream(Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false)
				: this;
	}

	@Override
	public void add(Q request) {
		this.lock.lock();
		try {
			if (this.cancelled == null) {
				this.waiting.add(request);
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void end() {
		this.lock.lock();
		try {
			this.ended = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void cancel(Status status, Runnable interrupt) {
		this.lock.lock();
		try {
			interrupt.run();
			if (this.cancelled == null) {
				this.cancelled = status;
				this.waiting.clear();
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * {@inheritDoc} Waits until there is one, or can be none.
	 * @throws io.grpc.StatusRuntimeException if the call is over or the thread is
	 * interrupted, which it is still after that
	 */
	@Override
	public boolean hasNext() {
		this.lock.lock();
		try {
			return await();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public Q next() {
		Q next;
		int refill;
		this.lock.lock();
		try {
			if (!await()) {
				throw new NoSuchElementException("The client has sent all its requests");
			}
			next = this.waiting.remove();
			refill = place();
		}
		finally {
			this.lock.unlock();
		}
		if (refill > 0) {
			this.call.request(refill);
		}
		return next;
	}

	private boolean await() {
		while (this.waiting.isEmpty()) {
			if (this.cancelled != null) {
				throw this.cancelled.asRuntimeException();
			}
			if (this.ended) {
				return false;
			}
			try {
				this.changed.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				Status status = (this.cancelled != null) ? this.cancelled
						: Status.CANCELLED.withDescription("Interrupted while waiting for a request");
				throw status.withCause(ex).asRuntimeException();
			}
		}
		return true;
	}

	private int place() {
		if (++this.freePlaces < REFILL || this.ended) {
			return 0;
		}
		this.freePlaces = 0;
		return REFILL;
	}

}
