package dev.grpcloop.engine.call;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.message.MessageDeframer;
import dev.grpcloop.engine.message.MetadataCodec;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Codec;
import io.grpc.Decompressor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A call as its stream sees it: what the stream receives goes in here, and here it hears
 * of its own end. Owned by the event loop.
 */
public final class InboundCall extends DeadlineWheel.Node implements MessageDeframer.Sink {

	/** Far enough away, and the sum with the time still fits in a long. */
	private static final long LONGEST_TIMEOUT_NANOS = TimeUnit.DAYS.toNanos(100 * 365);

	/** Only a timeout this short can have passed when the headers are looked at. */
	private static final long SHORT_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/**
	 * The client's own timer is given this much longer: a client that expires first says
	 * so itself, while of a reset some clients know no more than that it was a
	 * cancellation.
	 */
	private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int LONGEST_NAME_TOLD = 256;

	private final EngineServerCall<?, ?> call;

	private CallDelivery<?> delivery;

	private final MethodTelemetry telemetry;

	private final MessageDeframer deframer;

	/** How many bytes of the message being put together were given credit already. */
	private int returnedAhead;

	/** What the message being put together takes, as far as the stream knows. */
	private int held;

	private boolean stopped;

	private InboundCall(EngineServerCall<?, ?> call, MessageDeframer deframer) {
		this.call = call;
		this.telemetry = call.telemetry();
		this.deframer = deframer;
	}

	/**
	 * Begins a call.
	 * @param route the method
	 * @param stream the stream
	 * @param loop the state of the event loop
	 * @param environment the state of the server
	 * @param request what the headers said
	 * @return the call; it may have ended already
	 */
	public static InboundCall start(MethodRoute<?, ?> route, CallStream stream, CallLoop loop,
			CallEnvironment environment, CallRequest request) {
		CallTracers tracers = CallTracers.create(environment.tracerFactories(), route.descriptor().getFullMethodName(),
				request.metadata(), stream);
		EngineServerCall<?, ?> call = new EngineServerCall<>(route, stream, loop, environment, request, tracers);
		InboundCall inbound = new InboundCall(call, new MessageDeframer(environment.maxMessageSize()));
		stream.connect(inbound);
		inbound.telemetry.callStarted(request.arrivalNanos());
		if (tracers != null) {
			tracers.started(route.descriptor(), stream);
		}
		inbound.start(environment, request);
		return inbound;
	}

	private void start(CallEnvironment environment, CallRequest request) {
		Decompressor decompressor = null;
		String encoding = request.encoding();
		if (encoding != null) {
			decompressor = environment.decompressors().lookupDecompressor(encoding);
			if (decompressor == null) {
				// response headers say what the server does understand, as a client must
				// be told now (gRPC compression, "Compression Method Asymmetry")
				this.call.stream().writeHeaders(null, MetadataCodec.NONE);
				refuse(Status.UNIMPLEMENTED.withDescription("Can't find decompressor for " + printable(encoding)));
				return;
			}
			if (decompressor == Codec.Identity.NONE) {
				decompressor = null;
			}
		}
		if (isExpired(request)) {
			refuse(deadlineExceeded());
			return;
		}
		try {
			this.call.deliver(request.metadata());
		}
		catch (Throwable ex) {
			CallDelivery.LOGGER.log(System.Logger.Level.WARNING, "The executor supplier threw; the call is refused",
					ex);
			refuse(Status.fromThrowable(ex));
			return;
		}
		this.delivery = this.call.delivery();
		this.delivery.connect(this, decompressor, environment.maxMessageSize());
		if (request.timeoutNanos() >= 0) {
			this.call.loop()
				.deadlines()
				.add(this, request.arrivalNanos() + Math.min(request.timeoutNanos(), LONGEST_TIMEOUT_NANOS)
						+ HEAD_START_NANOS);
		}
		this.delivery.start(request.metadata());
	}

	private boolean isExpired(CallRequest request) {
		long timeout = request.timeoutNanos();
		return timeout >= 0 && timeout <= SHORT_TIMEOUT_NANOS
				&& this.call.loop().nanoTime() - request.arrivalNanos() >= timeout;
	}

	private static Status deadlineExceeded() {
		return Status.DEADLINE_EXCEEDED.withDescription("The deadline of the call has passed");
	}

	/**
	 * Ends a call whose service code never runs.
	 */
	private void refuse(Status status) {
		stop();
		this.call.refuse(status);
	}

	/**
	 * Answers a call to a method that is not there.
	 * @param stream the stream
	 * @param loop the state of the event loop
	 * @param environment the state of the server
	 * @param path the path of the request
	 * @param request what the headers said
	 */
	public static void unknownMethod(CallStream stream, CallLoop loop, CallEnvironment environment, CharSequence path,
			CallRequest request) {
		String name = methodName(path);
		endUnknown(stream, loop, environment, name, request,
				Status.UNIMPLEMENTED.withDescription("Method not found: " + shortened(name)));
	}

	/**
	 * Answers a call whose method could not be looked up.
	 * @param stream the stream
	 * @param loop the state of the event loop
	 * @param environment the state of the server
	 * @param path the path of the request
	 * @param request what the headers said
	 * @param failure what the fallback registry threw
	 */
	public static void lookupFailed(CallStream stream, CallLoop loop, CallEnvironment environment, CharSequence path,
			CallRequest request, Throwable failure) {
		CallDelivery.LOGGER.log(System.Logger.Level.WARNING,
				"The fallback registry threw; the call it was asked about ends", failure);
		endUnknown(stream, loop, environment, methodName(path), request, Status.fromThrowable(failure));
	}

	/**
	 * What a client said in a byte, an index into the header table, is not repeated to it
	 * in thousands.
	 */
	private static String shortened(String name) {
		return (name.length() <= LONGEST_NAME_TOLD) ? name : name.substring(0, LONGEST_NAME_TOLD) + "...";
	}

	private static String methodName(CharSequence path) {
		return path.subSequence(1, path.length()).toString();
	}

	/**
	 * Tracers hear of these calls too, with a context but without a method.
	 */
	private static void endUnknown(CallStream stream, CallLoop loop, CallEnvironment environment, String name,
			CallRequest request, Status status) {
		CallTracers tracers = CallTracers.create(environment.tracerFactories(), name, request.metadata(), stream);
		MethodTelemetry telemetry = loop.telemetry((MethodRoute<?, ?>) null);
		telemetry.callStarted(request.arrivalNanos());
		if (tracers != null) {
			tracers.filterContext(environment.rootContext());
		}
		stream.writeTrailers(status, new byte[0][]);
		telemetry.callClosed(status, request.arrivalNanos(), loop.nanoTime() - request.arrivalNanos(), false);
		if (tracers != null) {
			tracers.closed(status);
		}
	}

	/**
	 * Takes the bytes of a DATA frame.
	 * @param data the bytes; all are consumed
	 */
	public void data(ByteBuf data) {
		if (this.stopped) {
			this.call.stream().returnCredit(data.readableBytes());
			data.skipBytes(data.readableBytes());
			return;
		}
		Status failure = this.deframer.deframe(data, this);
		int partial = this.deframer.heldBytes();
		if (partial != this.held) {
			this.call.stream().hold(partial - this.held);
			this.held = partial;
		}
		if (failure != null) {
			stop();
			this.call.terminate(failure);
			return;
		}
		if (this.deframer.partialBytes() > this.returnedAhead && this.delivery.wantsMessage()) {
			returnPartialCredit();
		}
	}

	@Override
	public void message(boolean compressed, ByteBuf data, int index, int length) {
		if (this.stopped) {
			return;
		}
		received(compressed, length);
		this.delivery.message(compressed, data, index, length, takeCredit(length));
	}

	@Override
	public void message(boolean compressed, byte[] message) {
		if (this.stopped) {
			return;
		}
		received(compressed, message.length);
		this.delivery.message(new InboundMessage(compressed, message, takeCredit(message.length)));
	}

	private void received(boolean compressed, int length) {
		this.telemetry.messageReceived(length);
		CallTracers tracers = this.call.tracers();
		if (tracers != null) {
			tracers.inboundMessage(length);
			if (!compressed) {
				tracers.inboundUncompressed(length);
			}
		}
	}

	private int takeCredit(int length) {
		int credit = length + MessageDeframer.PREFIX_LENGTH - this.returnedAhead;
		this.returnedAhead = 0;
		return credit;
	}

	/**
	 * Gives the peer credit for the part of a message that waits for its rest: a message
	 * may be larger than the window.
	 */
	void returnPartialCredit() {
		int partial = this.deframer.partialBytes();
		if (partial > this.returnedAhead) {
			int credit = partial - this.returnedAhead;
			this.returnedAhead = partial;
			this.call.stream().returnCredit(credit);
		}
	}

	/**
	 * Gives the peer credit for what the service has taken, however little it is.
	 */
	public void collectCredit() {
		this.delivery.posted();
	}

	/**
	 * The client sends nothing more on this stream.
	 */
	public void endOfStream() {
		if (this.stopped) {
			return;
		}
		if (this.deframer.partialBytes() > 0) {
			stop();
			this.call.terminate(Status.INTERNAL.withDescription("The stream ended in the middle of a gRPC message"));
			return;
		}
		this.delivery.halfClose();
	}

	/**
	 * The connection took bytes of messages.
	 * @param bytes how many, prefixes included
	 */
	public void bytesWritten(int bytes) {
		this.call.bytesWritten(bytes);
	}

	/**
	 * The connection takes bytes again after a time when it did not.
	 */
	public void connectionWritable() {
		this.call.connectionWritable();
	}

	/**
	 * Ends the call with a status of the server's own.
	 * @param status the status
	 */
	public void terminate(Status status) {
		stop();
		this.call.terminate(status);
	}

	/**
	 * The stream has ended. Later calls change nothing.
	 * @param failure {@code null} if the status went out, else why not
	 */
	public void streamEnded(@Nullable Status failure) {
		stop();
		this.call.loop().deadlines().remove(this);
		this.call.streamEnded(failure);
	}

	@Override
	void deadlineExpired() {
		stop();
		this.call.expire(deadlineExceeded());
	}

	/**
	 * The call wants no more. Its service may go on for a long time.
	 */
	private void stop() {
		this.stopped = true;
		this.deframer.close();
	}

	private static String printable(String text) {
		return new String(text.substring(0, Math.min(text.length(), 64)).getBytes(StandardCharsets.US_ASCII),
				StandardCharsets.US_ASCII);
	}

}
