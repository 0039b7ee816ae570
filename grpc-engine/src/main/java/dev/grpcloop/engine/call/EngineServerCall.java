package dev.grpcloop.engine.call;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.message.MessageDeframer;
import dev.grpcloop.engine.message.MetadataCodec;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A call as its service and interceptors see it. What they send on the event loop is
 * written at once; what they send from another thread is serialised there and then, put
 * into the outbox, and written by the loop: messages of a response stream as soon as the
 * loop comes to it, a unary response in one go with its status.
 * <p>
 * The contract is {@link ServerCall}'s: the sending methods are called by one thread at a
 * time; {@link #request}, {@link #isReady} and {@link #isCancelled} by any.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
final class EngineServerCall<Q, R> extends OutboundCall<Q, R> {

	/**
	 * A unary response up to this framed length counts as sent when the service has
	 * closed the call: it needs no more than one frame.
	 */
	private static final int SMALL_RESPONSE = 16 * 1024;

	private final MethodRoute<Q, R> route;

	private final Context.CancellableContext context;

	private final CallEnvironment environment;

	private final Outbox outbox = new Outbox(this);

	private final ResponseMessages<R> messages;

	// the sending side: one thread at a time, by contract of ServerCall

	private boolean sendHeadersCalled;

	private boolean closeCalled;

	private boolean messageSent;

	/** The server has ended the call itself: what the service still sends is dropped. */
	private boolean aborted;

	private int framedLength;

	EngineServerCall(MethodRoute<Q, R> route, CallStream stream, CallLoop loop, CallEnvironment environment,
			CallRequest request, @Nullable CallTracers tracers) {
		super(stream, loop, loop.telemetry(route), tracers, request.arrivalNanos());
		this.route = route;
		this.environment = environment;
		this.messages = new ResponseMessages<>(route, environment.compressors(), request.acceptEncoding());
		Context base = (tracers != null) ? tracers.filterContext(environment.rootContext()) : environment.rootContext();
		this.context = (request.timeoutNanos() < 0) ? base.withCancellation() : base
			.withDeadline(Deadline.after(request.timeoutNanos(), TimeUnit.NANOSECONDS), UntimedScheduler.INSTANCE);
	}

	/**
	 * Decides where service code runs.
	 * <p>
	 * What the executor supplier throws comes out.
	 */
	void deliver(Metadata headers) {
		Executor executor = this.route.onEventLoop() ? null : this.environment.executor();
		if (this.environment.executorSupplier() != null) {
			Executor supplied = this.environment.executorSupplier().getExecutor(this, headers);
			executor = (supplied != null) ? supplied : executor;
		}
		delivery((executor != null)
				? new ExecutorDelivery<>(this, this.context, executor, this.environment.executorTelemetry())
				: new LoopDelivery<>(this, this.context));
	}

	/**
	 * Ends the call before its service code has begun.
	 */
	void refuse(Status status) {
		delivery(new LoopDelivery<>(this, this.context));
		terminate(status);
	}

	MethodRoute<Q, R> route() {
		return this.route;
	}

	ServerCall.Listener<Q> start(Metadata headers) {
		return this.route.handler().startCall(this, headers);
	}

	@Override
	public void request(int numMessages) {
		if (numMessages < 0) {
			throw new IllegalArgumentException("request(" + numMessages + "): the number must not be negative");
		}
		if (numMessages > 0) {
			delivery().request(numMessages);
		}
	}

	@Override
	public void sendHeaders(Metadata headers) {
		checkState(!this.sendHeadersCalled, "sendHeaders has already been called");
		checkState(!this.closeCalled, "call is closed");
		if (dropsOutput()) {
			this.sendHeadersCalled = true;
			return;
		}
		byte[] encoding = this.messages.negotiate();
		// a marshaller may throw, and then no headers were sent
		byte[][] metadata = MetadataCodec.toWire(headers);
		this.sendHeadersCalled = true;
		if (enterLoop()) {
			writeHeaders(encoding, metadata);
		}
		else {
			this.outbox.add(new Outbox.Headers(encoding, metadata));
			if (!this.route.serverSendsOneMessage()) {
				stream().post(this.outbox);
			}
		}
	}

	@Override
	public void sendMessage(R message) {
		checkState(this.sendHeadersCalled, "sendHeaders has not been called");
		checkState(!this.closeCalled, "call is closed");
		if (this.messageSent && this.route.serverSendsOneMessage()) {
			abort(Status.INTERNAL.withDescription("Too many responses"));
			return;
		}
		this.messageSent = true;
		if (dropsOutput()) {
			return;
		}
		boolean onLoop = enterLoop();
		byte[] framed;
		try {
			if (onLoop && sendFromScratch(message)) {
				return;
			}
			framed = this.messages.frame(message);
		}
		catch (Throwable ex) {
			marshallerFailed(ex);
			return;
		}
		traceOutbound(framed, framed.length);
		if (addUnwritten(framed.length) > this.environment.maxBufferedPerCall()) {
			tooMuchBuffered();
			return;
		}
		if (onLoop) {
			writeMessage(framed);
		}
		else {
			this.framedLength = framed.length;
			this.outbox.add(new Outbox.Message(framed));
			if (!this.route.serverSendsOneMessage()) {
				stream().post(this.outbox);
			}
		}
	}

	private boolean sendFromScratch(R message) {
		byte[] scratch = loop().scratch();
		int length = this.messages.frameInto(message, scratch);
		if (length < 0 || !stream().tryWriteMessage(scratch, length)) {
			return false;
		}
		traceOutbound(scratch, length);
		telemetry().messageSent(length - MessageDeframer.PREFIX_LENGTH);
		return true;
	}

	private void traceOutbound(byte[] framed, int length) {
		CallTracers tracers = tracers();
		if (tracers != null) {
			tracers.outboundMessage(length - MessageDeframer.PREFIX_LENGTH,
					this.messages.uncompressedLength(framed, length));
		}
	}

	/**
	 * A service that ignores {@code isReady} must not fill the memory (case B29).
	 */
	private void tooMuchBuffered() {
		terminateFromAnyThread(Status.RESOURCE_EXHAUSTED.withDescription("More than "
				+ this.environment.maxBufferedPerCall() + " bytes of responses wait for the client to read "
				+ "them; a service that sends more must wait until the call is ready"));
	}

	private void marshallerFailed(Throwable ex) {
		CallDelivery.LOGGER.log(System.Logger.Level.WARNING, () -> "The response marshaller of "
				+ this.route.descriptor().getFullMethodName() + " failed; the call ends with UNKNOWN", ex);
		endAfterException(Status.UNKNOWN.withDescription("Application error processing RPC").withCause(ex),
				new Metadata());
		if (ex instanceof Error error) {
			throw error;
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		checkState(!this.closeCalled, "call already closed");
		if (dropsOutput()) {
			this.closeCalled = true;
			return;
		}
		if (status.isOk() && !this.messageSent && this.route.serverSendsOneMessage()) {
			this.closeCalled = true;
			abort(Status.INTERNAL.withDescription("Completed without a response"));
			return;
		}
		// a marshaller may throw, and then the call is open still
		byte[][] metadata = MetadataCodec.toWire(trailers);
		this.closeCalled = true;
		sendClose(status, metadata);
	}

	private void sendClose(Status status, byte[][] metadata) {
		if (enterLoop()) {
			writeClose(status, metadata);
		}
		else {
			if (this.route.serverSendsOneMessage() && this.framedLength <= SMALL_RESPONSE) {
				delivery().closedInCallback();
			}
			this.outbox.add(new Outbox.Close(status, metadata));
			stream().post(this.outbox);
		}
	}

	/**
	 * Ends the call because a callback or a marshaller threw. The thread that sends.
	 */
	void endAfterException(Status status, Metadata trailers) {
		if (this.closeCalled || dropsOutput()) {
			return;
		}
		this.aborted = true;
		byte[][] metadata = MetadataCodec.NONE;
		try {
			metadata = MetadataCodec.toWire(trailers);
		}
		catch (RuntimeException ex) {
			CallDelivery.LOGGER.log(
					System.Logger.Level.WARNING, () -> "The trailers of what "
							+ this.route.descriptor().getFullMethodName() + " threw cannot be written and are left out",
					ex);
		}
		sendClose(status, metadata);
	}

	/**
	 * The service broke the rules of the call: grpc-java resets the stream, and so do we.
	 */
	private void abort(Status status) {
		if (dropsOutput()) {
			return;
		}
		this.aborted = true;
		CallDelivery.LOGGER.log(System.Logger.Level.WARNING,
				() -> this.route.descriptor().getFullMethodName() + ": " + status.getDescription()
						+ "; a method that sends one message must send exactly one before it completes with OK. "
						+ "The call is cancelled");
		if (enterLoop()) {
			writeCancel(status);
		}
		else {
			this.outbox.add(new Outbox.Cancel(status));
			stream().post(this.outbox);
		}
	}

	private boolean dropsOutput() {
		return isCancelled() || this.aborted;
	}

	/**
	 * Whether this thread may write itself; if so, all that others wrote before is out.
	 */
	private boolean enterLoop() {
		if (!stream().inEventLoop()) {
			return false;
		}
		this.outbox.drain();
		return true;
	}

	@Override
	public boolean isReady() {
		return !this.closeCalled && takesMore();
	}

	@Override
	public void setMessageCompression(boolean enabled) {
		this.messages.setMessageCompression(enabled);
	}

	@Override
	public void setCompression(String compressor) {
		checkState(!this.sendHeadersCalled, "sendHeaders has been called");
		this.messages.setCompression(compressor);
	}

	@Override
	public SecurityLevel getSecurityLevel() {
		return (getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION) != null) ? SecurityLevel.PRIVACY_AND_INTEGRITY
				: SecurityLevel.NONE;
	}

	@Override
	public Attributes getAttributes() {
		return stream().attributes();
	}

	@Override
	public @Nullable String getAuthority() {
		return stream().authority();
	}

	@Override
	public MethodDescriptor<Q, R> getMethodDescriptor() {
		return this.route.descriptor();
	}

	// any thread

	/**
	 * {@link #terminate} from any thread.
	 */
	void terminateFromAnyThread(Status status) {
		if (stream().inEventLoop()) {
			terminate(status);
			return;
		}
		this.outbox.add(new Outbox.Terminate(status));
		stream().post(this.outbox);
	}

	/**
	 * Ends the call for want of memory.
	 */
	void exhaustedFromAnyThread() {
		this.outbox.add(new Outbox.Exhausted());
		stream().post(this.outbox);
	}

	/**
	 * Writes what the service has put into the outbox, if this is the loop. Any thread.
	 */
	void takeOutbox() {
		enterLoop();
	}

	/**
	 * Has the loop look at what the delivery has for it. Any thread.
	 */
	void postDelivery() {
		stream().post(this.outbox);
	}

	private static void checkState(boolean state, String message) {
		if (!state) {
			throw new IllegalStateException(message);
		}
	}

}
