package dev.grpcloop.boot.exception;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;

/**
 * Tells a call that its callbacks throw, and makes no further ones than that of its end.
 * What that one throws comes too late for the client and is left to the server.
 *
 * @param <Q> the type of the requests
 */
final class FailingCallListener<Q> extends SimpleForwardingServerCallListener<Q> {

	private final FailingCall call;

	/** Callbacks of a call are serial. */
	private boolean failed;

	private FailingCallListener(ServerCall.Listener<Q> listener, FailingCall call) {
		super(listener);
		this.call = call;
	}

	/**
	 * Starts a call.
	 * @param call is told of what is thrown, now and later
	 * @param headers the headers of the request
	 * @param next starts the call
	 * @return the listener of the call
	 */
	static <Q, R, C extends ServerCall<Q, R> & FailingCall> ServerCall.Listener<Q> startCall(C call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		ServerCall.Listener<Q> listener;
		try {
			listener = next.startCall(call, headers);
		}
		catch (Throwable ex) {
			call.fail(ex);
			return new ServerCall.Listener<>() {
			};
		}
		return new FailingCallListener<>(listener, call);
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
		this.call.fail(exception);
	}

}
