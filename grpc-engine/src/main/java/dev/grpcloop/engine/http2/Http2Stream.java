package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;

import dev.grpcloop.engine.call.CallStream;
import dev.grpcloop.engine.call.InboundCall;
import dev.grpcloop.engine.call.PostQueue;
import dev.grpcloop.engine.http2.StreamState.Event;
import io.grpc.Attributes;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import org.jspecify.annotations.Nullable;

/**
 * One stream: what the peer does on it, and what its call is told of that. What the call
 * sends is the part of {@link OutboundStream}.
 * <p>
 * Owned by the event loop, but for the methods of {@link CallStream} that say otherwise.
 */
final class Http2Stream extends OutboundStream {

	/** How long a peer may go on sending what was refused. */
	private static final int REFUSAL_LINGER_SECONDS = 5;

	private final InboundFlow.StreamCredit credit;

	private final @Nullable String authority;

	/** Whether the client said how many bytes of DATA it would send. */
	private final boolean announces;

	/** How many of them are still to come. */
	private long announced;

	/** Ends the stream if the peer goes on sending what was refused. */
	private @Nullable Future<?> lingering;

	Http2Stream(int id, Http2Connection connection, RequestHeaders headers, boolean endOfStream) {
		super(id, connection, endOfStream);
		this.authority = headers.requestAuthority();
		this.announced = headers.contentLength();
		this.announces = this.announced >= 0;
		this.credit = connection.inboundFlow().new StreamCredit(id);
		hold(ConnectionMemory.CALL_BYTES + headers.length());
	}

	InboundFlow.StreamCredit credit() {
		return this.credit;
	}

	// what the peer does

	/**
	 * DATA was read.
	 * @param endOfStream whether the peer has ended its side; the call hears of that
	 * after the data, but what it answers the data is an answer to the whole request
	 * @return {@code false} if the peer sent more than its stream credit
	 */
	boolean onData(ByteBuf data, int padding, boolean endOfStream) {
		int bytes = data.readableBytes();
		boolean valid = this.credit.receive(bytes, padding);
		if (!valid) {
			return false;
		}
		if (endOfStream) {
			transition(Event.REMOTE_END);
		}
		InboundCall call = call();
		if (call != null) {
			long before = held();
			call.data(data);
			if (held() > before && !connection().memory().mayGrow()) {
				exhausted();
			}
		}
		else {
			returnCredit(bytes);
		}
		if (endOfStream) {
			requestEnded();
		}
		return true;
	}

	/**
	 * Whether the bytes of DATA agree with the content-length (RFC 9113 section 8.1.1).
	 */
	boolean agreesWithContentLength(int bytes, boolean endOfStream) {
		if (!this.announces) {
			return true;
		}
		this.announced -= bytes;
		return endOfStream ? this.announced == 0 : this.announced >= 0;
	}

	void onEndOfStream() {
		transition(Event.REMOTE_END);
		requestEnded();
	}

	/**
	 * Tells the call that the peer has ended its side.
	 */
	void requestEnded() {
		InboundCall call = call();
		if (call != null) {
			call.endOfStream();
		}
		if (state() == StreamState.CLOSED) {
			connection().remove(this);
		}
	}

	/**
	 * The peer reset the stream, or the connection is gone.
	 */
	void onReset(Status status) {
		peerEnded();
		end(Event.RESET, status);
	}

	/**
	 * Takes back the credit of what the service has taken and not yet said.
	 */
	void collectCredit() {
		InboundCall call = call();
		if (call != null) {
			call.collectCredit();
		}
	}

	@Override
	public boolean wantsCreditAtOnce() {
		return connection().inboundFlow().isPressed();
	}

	// what the call does

	@Override
	public boolean inEventLoop() {
		return connection().inEventLoop();
	}

	@Override
	public void post(PostQueue.Node node) {
		connection().batch().post(node);
	}

	@Override
	public void atEndOfBatch(BatchTask task) {
		connection().batch().atEnd(task);
	}

	/**
	 * {@inheritDoc} A timer that went on waiting for that would let a peer that is
	 * refused again and again fill the memory.
	 */
	@Override
	void removed() {
		if (this.lingering != null) {
			this.lingering.cancel(false);
			this.lingering = null;
		}
		this.credit.release(endedByPeer());
		giveBack();
	}

	/**
	 * Answers in HTTP terms and waits for the peer to end its side: what it still sends
	 * is dropped.
	 */
	void refuse(RequestCheck.HttpAnswer refusal) {
		writeRefusal(refusal);
		if (!isRemoved()) {
			this.lingering = connection().schedule(this::refusalExpired, REFUSAL_LINGER_SECONDS);
		}
	}

	private void refusalExpired() {
		reset(Http2Error.NO_ERROR, Status.CANCELLED);
		connection().wrote();
	}

	@Override
	public void cancel(Status status) {
		reset(Http2Error.CANCEL, status);
		connection().wrote();
	}

	@Override
	public void returnCredit(int bytes) {
		this.credit.consume(bytes, state().remoteOpen());
		connection().wrote();
	}

	@Override
	public void outlivedByService() {
		connection().abandonedCalls().add();
	}

	@Override
	public void serviceEnded() {
		connection().abandonedCalls().remove();
	}

	@Override
	public Attributes attributes() {
		return connection().attributes().get();
	}

	@Override
	public @Nullable String authority() {
		return this.authority;
	}

}
