package dev.grpcloop.engine.call;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Why a call's context was cancelled. It has no stack trace: a peer that cancels is not a
 * fault of this program, and must not make it work.
 */
final class CallCancelledException extends StatusRuntimeException {

	private static final long serialVersionUID = 1L;

	CallCancelledException(Status status) {
		super(status);
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
