package dev.grpcloop.boot.validation;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * A call that may end because of a request, while its service answers on another thread.
 * To the service it is cancelled then, and what it still sends is dropped. Only one
 * thread at a time may send: if the service is sending when a request is rejected, its
 * thread ends the call.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class RejectableServerCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<RejectableServerCall> STATE = AtomicIntegerFieldUpdater
		.newUpdater(RejectableServerCall.class, "state");

	private static final int IDLE = 0;

	private static final int SENDING = 1;

	private static final int REJECTED = 2;

	private volatile int state;

	/** Written before the state. */
	private @Nullable StatusException rejection;

	/** Of the thread that sends. */
	private boolean closed;

	RejectableServerCall(ServerCall<Q, R> call) {
		super(call);
	}

	/**
	 * Ends the call, unless the service has.
	 * @param status tells the client why
	 */
	void reject(StatusException status) {
		this.rejection = status;
		if (STATE.getAndSet(this, REJECTED) == IDLE) {
			closeRejected();
		}
	}

	private void closeRejected() {
		StatusException status = this.rejection;
		if (!this.closed && status != null) {
			this.closed = true;
			InvalidRequest.close(delegate(), status);
		}
	}

	@Override
	public void sendHeaders(Metadata headers) {
		boolean entered = enter();
		try {
			if (this.state != REJECTED) {
				delegate().sendHeaders(headers);
			}
		}
		finally {
			exit(entered);
		}
	}

	@Override
	public void sendMessage(R message) {
		boolean entered = enter();
		try {
			if (this.state != REJECTED) {
				delegate().sendMessage(message);
			}
		}
		finally {
			exit(entered);
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		boolean entered = enter();
		try {
			if (this.state != REJECTED) {
				this.closed = true;
				delegate().close(status, trailers);
			}
		}
		finally {
			exit(entered);
		}
	}

	/** What the service sends while it sends is in the same callback. */
	private boolean enter() {
		return STATE.compareAndSet(this, IDLE, SENDING);
	}

	private void exit(boolean entered) {
		if (entered && !STATE.compareAndSet(this, SENDING, IDLE)) {
			closeRejected();
		}
	}

	@Override
	public boolean isReady() {
		return this.state != REJECTED && delegate().isReady();
	}

	@Override
	public boolean isCancelled() {
		return this.state == REJECTED || delegate().isCancelled();
	}

}
