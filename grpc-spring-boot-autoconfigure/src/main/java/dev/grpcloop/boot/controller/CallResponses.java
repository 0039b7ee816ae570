package dev.grpcloop.boot.controller;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The responding side of a call: headers once, responses, one end. It belongs to one
 * thread at a time.
 *
 * @param <R> the type of the responses
 */
class CallResponses<R> {

	private static final Log logger = LogFactory.getLog(CallResponses.class);

	private final ServerCall<?, R> call;

	private final BoundMethod method;

	private final @Nullable CallContext context;

	private boolean headersSent;

	private boolean closed;

	CallResponses(ServerCall<?, R> call, BoundMethod method, @Nullable CallContext context) {
		this.call = call;
		this.method = method;
		this.context = context;
	}

	final ServerCall<?, R> call() {
		return this.call;
	}

	final @Nullable CallContext context() {
		return this.context;
	}

	/**
	 * Whether the method has ended the call.
	 */
	final boolean isClosed() {
		return this.closed;
	}

	/**
	 * Whether nothing is lost if an exception of the method ends the call without these.
	 * @return {@code false} if there are trailers, or somebody else may have ended it
	 */
	boolean mayBeEndedByInterceptors() {
		return !this.call.isCancelled() && (this.context == null || this.context.responseTrailers().keys().isEmpty());
	}

	/**
	 * Sends a response that others may follow.
	 * @param response the response; {@code null} ends the call with INTERNAL
	 * @return whether there was one
	 */
	boolean send(@Nullable Object response) {
		if (response == null) {
			violation("gave null where there must be a response");
			return false;
		}
		write(response);
		return true;
	}

	/**
	 * Sends the one response.
	 * @param response the response; {@code null} ends the call with INTERNAL
	 */
	final void sendOnly(@Nullable Object response) {
		if (send(response)) {
			complete();
		}
	}

	@SuppressWarnings("unchecked")
	private void write(Object response) {
		if (!this.headersSent) {
			this.headersSent = true;
			this.call.sendHeaders((this.context != null) ? this.context.responseHeaders() : new Metadata());
		}
		this.call.sendMessage((R) response);
	}

	/**
	 * Ends the call well.
	 */
	void complete() {
		if (this.closed) {
			logger.error(this.method + " has ended its call a second time");
			return;
		}
		close(Status.OK, trailers());
	}

	/**
	 * Ends the call with what was thrown, as a stub does that is given it. What the end
	 * of the call itself has caused is of no interest.
	 */
	void fail(Throwable thrown) {
		Throwable failure = Failures.unwrap(thrown);
		if (this.call.isCancelled()) {
			logger.debug(this.method + " failed after its call was cancelled", failure);
			return;
		}
		if (this.closed) {
			logger.error(this.method + " failed after it had ended its call", failure);
			return;
		}
		Status status = Status.fromThrowable(failure);
		if (status.isOk()) {
			violation("threw an exception with the status OK");
			return;
		}
		Metadata trailers = trailers();
		Metadata thrownTrailers = Status.trailersFromThrowable(failure);
		if (thrownTrailers != null) {
			trailers.merge(thrownTrailers);
		}
		close(status, trailers);
	}

	/**
	 * Ends the call because the method has broken the rules: the client is told no more
	 * than that, the log says what.
	 * @param what completes the sentence that names the method
	 */
	void violation(String what) {
		if (this.closed) {
			logger.error(this.method + " " + what + "; its call has ended before");
			return;
		}
		logger.error(this.method + " " + what + "; the call ends with INTERNAL");
		close(Status.INTERNAL.withDescription("The service has broken the rules of the call"), trailers());
	}

	/**
	 * Ends the call without the method's doing.
	 */
	void refuse(Status status) {
		if (!this.closed) {
			close(status, new Metadata());
		}
	}

	private Metadata trailers() {
		return (this.context != null) ? this.context.responseTrailers() : new Metadata();
	}

	private void close(Status status, Metadata trailers) {
		this.closed = true;
		try {
			this.call.close(status, trailers);
		}
		catch (IllegalStateException ex) {
			// an interceptor was faster, and the client has its answer
			logger.debug("The call of " + this.method + " was closed already", ex);
		}
	}

}
