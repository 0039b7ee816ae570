package dev.grpcloop.engine.call;

import java.util.concurrent.TimeoutException;

/**
 * Why a call's context was cancelled: as {@code Context} itself would say it, without a
 * stack trace.
 */
final class DeadlineExpiredException extends TimeoutException {

	private static final long serialVersionUID = 1L;

	DeadlineExpiredException() {
		super("context timed out");
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
