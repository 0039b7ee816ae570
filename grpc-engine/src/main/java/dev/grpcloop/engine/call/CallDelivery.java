package dev.grpcloop.engine.call;

import java.io.IOException;
import java.io.InputStream;

import dev.grpcloop.engine.message.ArrayMessageStream;
import dev.grpcloop.engine.message.LimitedInputStream;
import io.grpc.Context;
import io.grpc.Decompressor;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Brings what happens on the stream to the call's listener: one callback at a time, each
 * message before the half-close, the half-close before the end, and exactly one of
 * {@code onComplete} and {@code onCancel}. Where callbacks run is the subclass's matter.
 * <p>
 * Unless a method says otherwise it is called on the event loop.
 *
 * @param <Q> the type of the requests
 */
abstract class CallDelivery<Q> {

	static final System.Logger LOGGER = System.getLogger(CallDelivery.class.getPackageName());

	private final EngineServerCall<Q, ?> call;

	private final Context.CancellableContext context;

	private ServerCall.Listener<Q> listener = new ServerCall.Listener<>() {
	};

	private @Nullable InboundCall inbound;

	private @Nullable Decompressor decompressor;

	private int maxMessageSize;

	/** A callback threw: the listener hears only of the end. */
	private boolean failed;

	CallDelivery(EngineServerCall<Q, ?> call, Context.CancellableContext context) {
		this.call = call;
		this.context = context;
	}

	final void connect(InboundCall inbound, @Nullable Decompressor decompressor, int maxMessageSize) {
		this.inbound = inbound;
		this.decompressor = decompressor;
		this.maxMessageSize = maxMessageSize;
	}

	final EngineServerCall<Q, ?> call() {
		return this.call;
	}

	final Context.CancellableContext context() {
		return this.context;
	}

	final InboundCall inbound() {
		InboundCall inbound = this.inbound;
		if (inbound == null) {
			throw new IllegalStateException("not connected");
		}
		return inbound;
	}

	/**
	 * Starts the call.
	 */
	abstract void start(Metadata headers);

	/**
	 * Whether service code, or an interceptor, has seen the call. If it has not when this
	 * is asked, it never will: the stream has ended.
	 */
	abstract boolean isServed();

	/**
	 * A message that is valid only during the call.
	 * @param credit what to return when the service has taken it
	 */
	abstract void message(boolean compressed, ByteBuf data, int index, int length, int credit);

	/**
	 * A message.
	 */
	abstract void message(InboundMessage message);

	/**
	 * The client has sent all its messages.
	 */
	abstract void halfClose();

	/**
	 * The call has become ready.
	 */
	abstract void ready();

	/**
	 * The status has gone out.
	 */
	abstract void complete();

	/**
	 * The call ended otherwise.
	 */
	abstract void cancel(Status status);

	/**
	 * Whether the service waits for a message that has not come.
	 */
	abstract boolean wantsMessage();

	/**
	 * The service wants more messages. Any thread.
	 */
	abstract void request(int numMessages);

	/**
	 * The outbox ran on the loop.
	 */
	abstract void posted();

	/**
	 * The service closes a call whose whole response goes out at once. Called by the
	 * thread that closes.
	 */
	void closedInCallback() {
	}

	// the callbacks, on whichever thread the subclass chooses

	final void invokeStart(Metadata headers) {
		try {
			ServerCall.Listener<Q> started = this.call.start(headers);
			if (started == null) {
				throw new NullPointerException("startCall() returned a null listener for method "
						+ this.call.getMethodDescriptor().getFullMethodName());
			}
			this.listener = started;
		}
		catch (Throwable ex) {
			this.failed = true;
			Metadata trailers = Status.trailersFromThrowable(ex);
			if (!(ex instanceof StatusRuntimeException)) {
				logFailure("startCall", ex);
			}
			this.call.endAfterException(Status.fromThrowable(ex), (trailers != null) ? trailers : new Metadata());
		}
	}

	final void invokeReady() {
		if (this.failed || !this.call.isReady()) {
			// a service that was sending meanwhile has used up what this is about, and
			// hears
			// of the next time
			return;
		}
		try {
			this.listener.onReady();
		}
		catch (Throwable ex) {
			callbackFailed("onReady", ex);
		}
	}

	final void invokeMessage(InboundMessage message) {
		invokeMessage(message.compressed(), new ArrayMessageStream(message.bytes()));
	}

	final void invokeMessage(boolean compressed, InputStream stream) {
		if (this.failed) {
			return;
		}
		Q request;
		LimitedInputStream decompressed = null;
		try (InputStream source = stream) {
			decompressed = compressed ? decompressed(source) : null;
			request = parse((decompressed != null) ? decompressed : source);
			if (this.call.tracers() != null && decompressed != null) {
				this.call.tracers().inboundUncompressed(decompressed.count());
			}
		}
		catch (Throwable ex) {
			Throwable failure = (decompressed != null) ? decompressed.failure() : null;
			requestUnreadable((failure != null) ? failure : ex);
			return;
		}
		try {
			this.listener.onMessage(request);
		}
		catch (Throwable ex) {
			callbackFailed("onMessage", ex);
		}
	}

	private Q parse(InputStream stream) throws IOException {
		try (InputStream in = stream) {
			try {
				return this.call.getMethodDescriptor().parseRequest(in);
			}
			catch (RuntimeException ex) {
				if (in instanceof LimitedInputStream decompressed) {
					// a message that is too large is that first, whatever it says
					decompressed.readToEnd();
				}
				throw ex;
			}
		}
	}

	private LimitedInputStream decompressed(InputStream stream) throws IOException {
		if (this.decompressor == null) {
			throw new CallCancelledException(Status.INTERNAL
				.withDescription("The compressed flag of a message is set, but the call has no grpc-encoding"));
		}
		return new LimitedInputStream(this.decompressor.decompress(stream), this.maxMessageSize, growth());
	}

	/**
	 * Who finds the room for a large message while it is decompressed.
	 */
	LimitedInputStream.@Nullable Growth growth() {
		return null;
	}

	/**
	 * Whether the listener hears only of the end.
	 */
	final boolean hasFailed() {
		return this.failed;
	}

	private void requestUnreadable(Throwable ex) {
		this.failed = true;
		if (ex instanceof NoRoomException) {
			this.call.exhaustedFromAnyThread();
			return;
		}
		Status status;
		if (ex instanceof StatusRuntimeException || ex instanceof StatusException) {
			status = Status.fromThrowable(ex);
		}
		else if (ex instanceof IOException) {
			status = Status.INTERNAL.withDescription("The message cannot be decompressed").withCause(ex);
		}
		else {
			logFailure("the request marshaller", ex);
			status = Status.UNKNOWN.withDescription("Application error processing RPC").withCause(ex);
		}
		this.call.terminateFromAnyThread(status);
	}

	final void invokeHalfClose() {
		if (this.failed) {
			return;
		}
		try {
			this.listener.onHalfClose();
		}
		catch (Throwable ex) {
			callbackFailed("onHalfClose", ex);
		}
	}

	final void invokeComplete() {
		try {
			this.listener.onComplete();
		}
		catch (Throwable ex) {
			logFailure("onComplete", ex);
		}
		this.context.cancel(null);
	}

	final void invokeCancel(Status status) {
		this.context.cancel(cancellationCause(status));
		try {
			this.listener.onCancel();
		}
		catch (Throwable ex) {
			logFailure("onCancel", ex);
		}
	}

	/**
	 * Why the context is cancelled: with a cause that grpc-java's utilities turn back
	 * into the status.
	 */
	static Throwable cancellationCause(Status status) {
		return (status.getCode() == Status.Code.DEADLINE_EXCEEDED) ? new DeadlineExpiredException()
				: new CallCancelledException(status);
	}

	private void callbackFailed(String callback, Throwable ex) {
		this.failed = true;
		logFailure(callback, ex);
		this.call.endAfterException(Status.UNKNOWN.withDescription("Application error processing RPC").withCause(ex),
				new Metadata());
	}

	private void logFailure(String callback, Throwable ex) {
		LOGGER.log(System.Logger.Level.WARNING,
				() -> callback + " of " + this.call.getMethodDescriptor().getFullMethodName()
						+ " threw; if the call was still open it ends with UNKNOWN",
				ex);
	}

}
