package dev.grpcloop.boot.exception;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;

/**
 * Ends a call whose callbacks throw, and makes no further ones than that of its end. What
 * that one throws comes too late for the client and is left to the server.
 *
 * @param <Q> the type of the requests
 */
final class HandledCallListener<Q> extends SimpleForwardingServerCallListener<Q> {

	private final ServerCall<Q, ?> call;

	private final ExceptionHandlers handlers;

	/** Callbacks of a call are serial. */
	private boolean failed;

	HandledCallListener(ServerCall.Listener<Q> listener, ServerCall<Q, ?> call, ExceptionHandlers handlers) {
		super(listener);
		this.call = call;
		this.handlers = handlers;
	}

	@Override
	public void onReady() {
		if (this.failed) {
			return;
		}
		try {
			delegate().onReady();
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	@Override
	public void onMessage(Q message) {
		if (this.failed) {
			return;
		}
		try {
			delegate().onMessage(message);
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	@Override
	public void onHalfClose() {
		if (this.failed) {
			return;
		}
		try {
			delegate().onHalfClose();
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private void fail(Throwable exception) {
		this.failed = true;
		this.handlers.fail(this.call, exception);
	}

}
