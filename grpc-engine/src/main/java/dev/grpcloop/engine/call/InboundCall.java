package dev.grpcloop.engine.call;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.message.MessageDeframer;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Codec;
import io.grpc.Decompressor;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A call as its stream sees it: what the stream receives goes in here, and here it hears
 * of its own end. Owned by the event loop.
 */
public final class InboundCall implements MessageDeframer.Sink {

	private final EngineServerCall<?, ?> call;

	private final CallDelivery<?> delivery;

	private final MethodTelemetry telemetry;

	private final MessageDeframer deframer;

	/** How many bytes of the message being put together were given credit already. */
	private int returnedAhead;

	private boolean stopped;

	private InboundCall(EngineServerCall<?, ?> call, MessageDeframer deframer) {
		this.call = call;
		this.delivery = call.delivery();
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
		EngineServerCall<?, ?> call = new EngineServerCall<>(route, stream, loop, environment, request.acceptEncoding(),
				request.arrivalNanos());
		InboundCall inbound = new InboundCall(call, new MessageDeframer(environment.maxMessageSize()));
		inbound.telemetry.callStarted();
		Decompressor decompressor = null;
		String encoding = request.encoding();
		if (encoding != null) {
			decompressor = environment.decompressors().lookupDecompressor(encoding);
			if (decompressor == null) {
				inbound.unknownEncoding(encoding);
				return inbound;
			}
			if (decompressor == Codec.Identity.NONE) {
				decompressor = null;
			}
		}
		inbound.delivery.connect(inbound, decompressor, environment.maxMessageSize());
		stream.connect(inbound);
		inbound.delivery.start(request.metadata());
		return inbound;
	}

	/**
	 * Answers a call to a method that is not there.
	 * @param stream the stream
	 * @param loop the state of the event loop
	 * @param path the path of the request
	 * @param startNanos when the headers arrived
	 */
	public static void unknownMethod(CallStream stream, CallLoop loop, CharSequence path, long startNanos) {
		MethodTelemetry telemetry = loop.telemetry((MethodRoute<?, ?>) null);
		Status status = Status.UNIMPLEMENTED.withDescription("Method not found: " + path.subSequence(1, path.length()));
		telemetry.callStarted();
		stream.writeTrailers(status, new byte[0][]);
		telemetry.callClosed(status, System.nanoTime() - startNanos);
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
		this.telemetry.messageReceived(length);
		this.delivery.message(compressed, data, index, length, takeCredit(length));
	}

	@Override
	public void message(boolean compressed, byte[] message) {
		if (this.stopped) {
			return;
		}
		this.telemetry.messageReceived(message.length);
		this.delivery.message(new InboundMessage(compressed, message, takeCredit(message.length)));
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
		this.call.streamEnded(failure);
	}

	private void stop() {
		this.stopped = true;
	}

	private void unknownEncoding(String encoding) {
		stop();
		this.call.stream().connect(this);
		this.call.terminate(Status.UNIMPLEMENTED.withDescription("Can't find decompressor for " + printable(encoding)));
	}

	private static String printable(String text) {
		return new String(text.substring(0, Math.min(text.length(), 64)).getBytes(StandardCharsets.US_ASCII),
				StandardCharsets.US_ASCII);
	}

}
