package dev.grpcloop.boot.controller;

import java.util.concurrent.locks.ReentrantLock;

import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The responding side of a call for several threads at once. A lock is held while one
 * response is serialised.
 *
 * @param <R> the type of the responses
 */
final class SharedResponses<R> extends CallResponses<R> {

	private final ReentrantLock lock = new ReentrantLock();

	SharedResponses(ServerCall<?, R> call, BoundMethod method, @Nullable CallContext context) {
		super(call, method, context);
	}

	@Override
	boolean mayBeEndedByInterceptors() {
		return false;
	}

	@Override
	boolean send(@Nullable Object response) {
		this.lock.lock();
		try {
			return super.send(response);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sends a response unless the call has ended.
	 * @return {@code false} if it has
	 */
	boolean sendIfOpen(@Nullable Object response) {
		this.lock.lock();
		try {
			if (isClosed()) {
				return false;
			}
			if (!call().isCancelled() || response == null) {
				super.send(response);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	void complete() {
		this.lock.lock();
		try {
			super.complete();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	void fail(Throwable thrown) {
		this.lock.lock();
		try {
			super.fail(thrown);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	void violation(String what) {
		this.lock.lock();
		try {
			super.violation(what);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	void refuse(Status status) {
		this.lock.lock();
		try {
			super.refuse(status);
		}
		finally {
			this.lock.unlock();
		}
	}

}
