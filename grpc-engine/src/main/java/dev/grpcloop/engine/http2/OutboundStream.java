package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.call.CallStream;
import dev.grpcloop.engine.call.InboundCall;
import dev.grpcloop.engine.http2.StreamState.Event;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Error;
import org.jspecify.annotations.Nullable;

/**
 * The server's half of a stream: what its call sends, what of it waits for credit, and
 * how the stream ends. It has the state of the stream, to which every end of a half leads
 * (RFC 9113 section 5.1).
 * <p>
 * Owned by the event loop, but for the methods of {@link CallStream} that say otherwise.
 */
abstract class OutboundStream implements CallStream {

	private static final byte[][] NO_METADATA = {};

	private final int id;

	private final Http2Connection connection;

	private StreamState state;

	private @Nullable InboundCall call;

	/** The peer has sent END_STREAM or RST_STREAM. */
	private boolean endedByPeer;

	private boolean headersSent;

	private int sendWindow;

	/** What may not be sent yet. */
	private @Nullable ResponseQueue queue;

	/** The stream stands in the line of those that write. */
	private boolean waiting;

	/** What the stream holds of the connection's memory. */
	private long held;

	private boolean removed;

	OutboundStream(int id, Http2Connection connection, boolean endOfStream) {
		this.id = id;
		this.connection = connection;
		this.state = endOfStream ? StreamState.HALF_CLOSED_REMOTE : StreamState.OPEN;
		this.endedByPeer = endOfStream;
		this.sendWindow = connection.outboundFlow().initialWindow();
	}

	final int id() {
		return this.id;
	}

	final Http2Connection connection() {
		return this.connection;
	}

	final StreamState state() {
		return this.state;
	}

	final boolean endedByPeer() {
		return this.endedByPeer;
	}

	@Override
	public final void connect(InboundCall call) {
		this.call = call;
	}

	/**
	 * Who gets what the stream receives; nobody if it was refused.
	 */
	final @Nullable InboundCall call() {
		return this.call;
	}

	/**
	 * The peer opened the stream's window, or moved it with its settings.
	 * @return {@code false} if it has become larger than 2^31-1
	 */
	final boolean increaseSendWindow(int increment) {
		long sum = (long) this.sendWindow + increment;
		if (sum > Integer.MAX_VALUE) {
			return false;
		}
		this.sendWindow = (int) sum;
		awaitTurn();
		return true;
	}

	final void connectionWritable() {
		if (this.call != null && this.state.localOpen()) {
			this.call.connectionWritable();
		}
	}

	@Override
	public final boolean isWritable() {
		return this.connection.outboundFlow().isWritable();
	}

	@Override
	public final void writeHeaders(byte @Nullable [] encoding, byte[][] metadata) {
		if (this.state.localOpen() && !this.headersSent) {
			Status fault = this.connection.responses().headersFault(encoding, metadata);
			if (fault != null && this.call != null) {
				this.call.terminate(fault);
				return;
			}
			this.headersSent = true;
			this.connection.responses().headers(this.id, encoding, metadata);
			this.connection.wrote();
		}
	}

	@Override
	public final boolean tryWriteMessage(byte[] framed, int length) {
		OutboundFlow flow = this.connection.outboundFlow();
		if (!this.state.localOpen() || !this.headersSent || isQueued()
				|| length > this.connection.responses().maxFrameSize() || !flow.allows(length, this.sendWindow)) {
			return false;
		}
		spend(length);
		this.connection.frames().data(this.id, framed, 0, length, false);
		this.connection.wrote();
		return true;
	}

	private void spend(int bytes) {
		this.sendWindow -= bytes;
		this.connection.outboundFlow().spend(bytes);
	}

	@Override
	public final void writeMessage(byte[] framed) {
		if (!this.state.localOpen()) {
			return;
		}
		if (tryWriteMessage(framed, framed.length)) {
			this.call.bytesWritten(framed.length);
			return;
		}
		if (!this.connection.memory().mayGrow()) {
			exhausted();
			return;
		}
		if (this.queue == null) {
			this.queue = new ResponseQueue(this.connection.outboundFlow().streamStall());
		}
		this.queue.add(framed);
		hold(framed.length + ConnectionMemory.ENTRY_BYTES);
		drain();
	}

	@Override
	public final boolean tryHoldOffLoop(long bytes) {
		return this.connection.memory().tryAddOffLoop(bytes);
	}

	@Override
	public final void giveBackOffLoop(long bytes) {
		this.connection.memory().giveBackOffLoop(bytes);
	}

	@Override
	public final void exhausted() {
		if (this.call != null && this.state.localOpen()) {
			this.connection.telemetry().guardTripped(Guard.MEMORY);
			this.call.terminate(this.connection.memory().exhausted());
		}
	}

	final long held() {
		return this.held;
	}

	@Override
	public final void hold(long bytes) {
		if (!this.removed) {
			this.held += bytes;
			this.connection.memory().add(bytes);
		}
	}

	/**
	 * Gives back what the stream holds. It holds nothing any more.
	 */
	final void giveBack() {
		hold(-this.held);
		this.removed = true;
	}

	final boolean isRemoved() {
		return this.removed;
	}

	private void drain() {
		awaitTurn();
		this.connection.outboundFlow().drain();
		this.connection.wrote();
	}

	private boolean isQueued() {
		return this.queue != null && !this.queue.isEmpty();
	}

	/**
	 * Gets in line if there is something to send and credit for it.
	 */
	private void awaitTurn() {
		if (this.waiting || !isQueued()) {
			return;
		}
		if (this.sendWindow > 0) {
			this.queue.stall().end();
			this.waiting = true;
			this.connection.outboundFlow().await(this);
		}
		else {
			this.queue.stall().begin();
		}
	}

	/**
	 * Whether the stream stands in the line of those that write.
	 */
	final boolean isInLine() {
		return this.waiting;
	}

	/**
	 * Writes one frame of what is queued; only while the connection has credit. If there
	 * is more, and credit for it, the stream gets in line again.
	 */
	final void writeNextFrame() {
		if (!this.waiting) {
			// the stream has ended meanwhile
			return;
		}
		this.waiting = false;
		this.connection.outboundFlow().turn();
		ResponseQueue output = this.queue;
		if (output == null || output.isEmpty()) {
			return;
		}
		if (this.sendWindow <= 0) {
			// the client's settings have taken the credit back
			output.stall().begin();
			return;
		}
		int count = Math.min(output.remaining(), Math.min(this.connection.responses().maxFrameSize(),
				Math.min(this.sendWindow, this.connection.outboundFlow().connectionWindow())));
		if (count < AbuseGuards.TINY_FRAME && count < output.remaining()) {
			this.connection.abuse().tinyFrame(this.connection.frames().dataFrames());
		}
		spend(count);
		this.connection.frames().data(this.id, output.first(), output.offset(), count, output.endsStreamAfter(count));
		int message = output.wrote(count);
		if (message > 0) {
			hold(-message - ConnectionMemory.ENTRY_BYTES);
		}
		if (this.call != null) {
			this.call.bytesWritten(count);
		}
		if (isQueued()) {
			awaitTurn();
		}
		else {
			queueWritten();
		}
	}

	/**
	 * Writes what follows the last message, if the call has come to that.
	 */
	private void queueWritten() {
		ResponseQueue output = this.queue;
		if (output == null) {
			return;
		}
		Status status = output.status();
		if (output.endsStream()) {
			end(Event.LOCAL_END, null);
		}
		else if (status != null) {
			finish(status, output.trailers());
		}
	}

	private boolean isStatusQueued() {
		return this.queue != null && this.queue.status() != null;
	}

	@Override
	public final void writeTrailers(Status status, byte[][] metadata) {
		if (!this.state.localOpen() || isStatusQueued()) {
			return;
		}
		if (isQueued()) {
			this.queue.end(status, metadata);
		}
		else {
			finish(status, metadata);
		}
		this.connection.wrote();
	}

	/**
	 * Writes the trailers. If the peer has not ended its side it is told that the rest is
	 * not wanted (RFC 9113 section 8.1).
	 */
	private void finish(Status status, byte[][] metadata) {
		this.connection.responses().trailers(this.id, status, metadata, !this.headersSent);
		this.headersSent = true;
		if (this.state == StreamState.OPEN) {
			this.connection.frames().resetStream(this.id, Http2Error.NO_ERROR.code());
			end(Event.RESET, null);
		}
		else {
			end(Event.LOCAL_END, null);
		}
	}

	@Override
	public final void terminate(Status status) {
		if (!this.state.localOpen()) {
			return;
		}
		if (isStatusQueued()) {
			// the client may have been promised another status by what is queued before
			// it
			reset(Http2Error.CANCEL, status);
		}
		else {
			// a message that is cut off here is no message, and its status says why
			dropQueue();
			finish(status, NO_METADATA);
		}
		this.connection.wrote();
	}

	/**
	 * Writes an answer in HTTP terms, whose last byte ends the response.
	 */
	final void writeRefusal(RequestCheck.HttpAnswer refusal) {
		byte[] body = this.connection.responses().refusal(this.id, refusal);
		this.headersSent = true;
		this.queue = new ResponseQueue(this.connection.outboundFlow().streamStall());
		this.queue.addLast(body);
		hold(body.length + ConnectionMemory.ENTRY_BYTES);
		drain();
	}

	/**
	 * The server gives the stream up.
	 */
	final void reset(Http2Error error, Status status) {
		if (this.state != StreamState.CLOSED) {
			this.connection.frames().resetStream(this.id, error.code());
			end(Event.RESET, status);
		}
	}

	/**
	 * The peer sends nothing more, whatever it had to send.
	 */
	final void peerEnded() {
		this.endedByPeer = true;
	}

	/**
	 * The connection has forgotten the stream.
	 */
	abstract void removed();

	/**
	 * One half has ended, or both.
	 */
	final void transition(Event event) {
		this.endedByPeer |= event == Event.REMOTE_END;
		this.state = this.state.on(event);
	}

	/**
	 * Nothing more is sent.
	 */
	private void dropQueue() {
		ResponseQueue output = this.queue;
		if (output != null) {
			this.queue = null;
			output.stall().end();
			if (this.waiting) {
				this.waiting = false;
				this.connection.outboundFlow().ended();
			}
		}
	}

	/**
	 * The response is over, in one way or another.
	 * @param failure {@code null} if the status went out
	 */
	final void end(Event event, @Nullable Status failure) {
		transition(event);
		dropQueue();
		if (this.state == StreamState.CLOSED) {
			this.connection.remove(this);
		}
		if (this.call != null) {
			this.call.streamEnded(failure);
		}
	}

}
