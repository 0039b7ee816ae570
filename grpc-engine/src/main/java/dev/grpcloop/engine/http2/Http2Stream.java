package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;

import dev.grpcloop.engine.call.CallStream;
import dev.grpcloop.engine.call.InboundCall;
import dev.grpcloop.engine.call.PostQueue;
import dev.grpcloop.engine.http2.StreamState.Event;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Attributes;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import org.jspecify.annotations.Nullable;

/**
 * One stream: its state, its windows, and what its call sends and receives through them.
 * <p>
 * Owned by the event loop, but for the methods of {@link CallStream} that say otherwise.
 */
final class Http2Stream implements CallStream {

	private static final byte[][] NO_METADATA = {};

	/** How long a peer may go on sending what was refused. */
	private static final int REFUSAL_LINGER_SECONDS = 5;

	private final int id;

	private final Http2Connection connection;

	private final InboundFlow.StreamCredit credit;

	private final @Nullable String authority;

	/** Whether the client said how many bytes of DATA it would send. */
	private final boolean announces;

	/** How many of them are still to come. */
	private long announced;

	private StreamState state;

	private @Nullable InboundCall call;

	/** The peer has sent END_STREAM or RST_STREAM. */
	private boolean endedByPeer;

	private boolean headersSent;

	private int sendWindow;

	/** What may not be sent yet. */
	private @Nullable ResponseQueue queue;

	/** What the stream holds of the connection's memory. */
	private long held;

	private boolean removed;

	/** Ends the stream if the peer goes on sending what was refused. */
	private @Nullable Future<?> lingering;

	/** The stream stands in the line of those that write. */
	private boolean waiting;

	Http2Stream(int id, Http2Connection connection, RequestHeaders headers, boolean endOfStream) {
		this.id = id;
		this.state = endOfStream ? StreamState.HALF_CLOSED_REMOTE : StreamState.OPEN;
		this.connection = connection;
		this.endedByPeer = endOfStream;
		this.authority = headers.requestAuthority();
		this.announced = headers.contentLength();
		this.announces = this.announced >= 0;
		this.credit = connection.inboundFlow().new StreamCredit(id);
		this.sendWindow = connection.outboundFlow().initialWindow();
		hold(ConnectionMemory.CALL_BYTES + headers.length());
	}

	int id() {
		return this.id;
	}

	StreamState state() {
		return this.state;
	}

	boolean endedByPeer() {
		return this.endedByPeer;
	}

	InboundFlow.StreamCredit credit() {
		return this.credit;
	}

	@Override
	public void connect(InboundCall call) {
		this.call = call;
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
		if (this.call != null) {
			long before = this.held;
			this.call.data(data);
			if (this.held > before && !this.connection.memory().mayGrow()) {
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
		if (this.call != null) {
			this.call.endOfStream();
		}
		if (this.state == StreamState.CLOSED) {
			this.connection.remove(this);
		}
	}

	/**
	 * The peer reset the stream, or the connection is gone.
	 */
	void onReset(Status status) {
		this.endedByPeer = true;
		end(Event.RESET, status);
	}

	/**
	 * The server gives the stream up.
	 */
	void reset(Http2Error error, Status status) {
		if (this.state != StreamState.CLOSED) {
			this.connection.frames().resetStream(this.id, error.code());
			end(Event.RESET, status);
		}
	}

	/**
	 * The peer opened the stream's window, or moved it with its settings.
	 * @return {@code false} if it has become larger than 2^31-1
	 */
	boolean increaseSendWindow(int increment) {
		long sum = (long) this.sendWindow + increment;
		if (sum > Integer.MAX_VALUE) {
			return false;
		}
		this.sendWindow = (int) sum;
		awaitTurn();
		return true;
	}

	/**
	 * Takes back the credit of what the service has taken and not yet said.
	 */
	void collectCredit() {
		if (this.call != null) {
			this.call.collectCredit();
		}
	}

	@Override
	public boolean wantsCreditAtOnce() {
		return this.connection.inboundFlow().isPressed();
	}

	void connectionWritable() {
		if (this.call != null && this.state.localOpen()) {
			this.call.connectionWritable();
		}
	}

	// what the call does

	@Override
	public boolean inEventLoop() {
		return this.connection.inEventLoop();
	}

	@Override
	public void post(PostQueue.Node node) {
		this.connection.batch().post(node);
	}

	@Override
	public void atEndOfBatch(BatchTask task) {
		this.connection.batch().atEnd(task);
	}

	@Override
	public boolean isWritable() {
		return this.connection.outboundFlow().isWritable();
	}

	@Override
	public void writeHeaders(byte @Nullable [] encoding, byte[][] metadata) {
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
	public boolean tryWriteMessage(byte[] framed, int length) {
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
	public void writeMessage(byte[] framed) {
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
			this.queue = new ResponseQueue();
		}
		this.queue.add(framed);
		hold(framed.length + ConnectionMemory.ENTRY_BYTES);
		drain();
	}

	/**
	 * The memory for what the call receives or sends is not to be had.
	 */
	void exhausted() {
		if (this.call != null && this.state.localOpen()) {
			this.connection.telemetry().guardTripped(Guard.MEMORY);
			this.call.terminate(this.connection.memory().exhausted());
		}
	}

	long held() {
		return this.held;
	}

	@Override
	public void hold(long bytes) {
		if (!this.removed) {
			this.held += bytes;
			this.connection.memory().add(bytes);
		}
	}

	/**
	 * The connection has forgotten the stream. A timer that went on waiting for that
	 * would let a peer that is refused again and again fill the memory.
	 */
	void removed() {
		if (this.lingering != null) {
			this.lingering.cancel(false);
			this.lingering = null;
		}
		this.credit.release(this.endedByPeer);
		hold(-this.held);
		this.removed = true;
	}

	private void drain() {
		awaitTurn();
		this.connection.outboundFlow().drain();
		this.connection.wrote();
	}

	private boolean isQueued() {
		return this.queue != null && !this.queue.isEmpty();
	}

	private void awaitTurn() {
		if (!this.waiting && this.sendWindow > 0 && isQueued()) {
			this.waiting = true;
			this.connection.outboundFlow().await(this);
		}
		else if (!this.waiting && isQueued()) {
			this.connection.outboundFlow().stalled();
		}
	}

	/**
	 * Writes one frame of what is queued; only while the connection has credit.
	 * @return whether the stream has more to write, and credit for it
	 */
	boolean writeNextFrame() {
		this.waiting = false;
		ResponseQueue output = this.queue;
		if (output == null || output.isEmpty() || this.sendWindow <= 0) {
			return false;
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
		if (!isQueued()) {
			queueWritten();
			return false;
		}
		if (this.sendWindow <= 0) {
			this.connection.outboundFlow().stalled();
			return false;
		}
		if (this.waiting) {
			// the service has sent more in between, which has put the stream in line
			return false;
		}
		this.waiting = true;
		return true;
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
	public void writeTrailers(Status status, byte[][] metadata) {
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
	public void terminate(Status status) {
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
			this.queue = null;
			finish(status, NO_METADATA);
		}
		this.connection.wrote();
	}

	/**
	 * Answers in HTTP terms and waits for the peer to end its side: what it still sends
	 * is dropped.
	 */
	void refuse(RequestCheck.Refusal refusal) {
		byte[] body = this.connection.responses().refusal(this.id, refusal);
		this.headersSent = true;
		this.queue = new ResponseQueue();
		this.queue.addLast(body);
		hold(body.length + ConnectionMemory.ENTRY_BYTES);
		drain();
		if (!this.removed) {
			this.lingering = this.connection.schedule(this::refusalExpired, REFUSAL_LINGER_SECONDS);
		}
	}

	private void refusalExpired() {
		reset(Http2Error.NO_ERROR, Status.CANCELLED);
		this.connection.wrote();
	}

	@Override
	public void cancel(Status status) {
		reset(Http2Error.CANCEL, status);
		this.connection.wrote();
	}

	@Override
	public void returnCredit(int bytes) {
		this.credit.consume(bytes, this.state.remoteOpen());
		this.connection.wrote();
	}

	@Override
	public void outlivedByService() {
		this.connection.abandonedCalls().add();
	}

	@Override
	public void serviceEnded() {
		this.connection.abandonedCalls().remove();
	}

	@Override
	public Attributes attributes() {
		return this.connection.attributes();
	}

	@Override
	public @Nullable String authority() {
		return this.authority;
	}

	private void transition(Event event) {
		this.endedByPeer |= event == Event.REMOTE_END;
		this.state = this.state.on(event);
	}

	/**
	 * The response is over, in one way or another.
	 * @param failure {@code null} if the status went out
	 */
	private void end(Event event, @Nullable Status failure) {
		transition(event);
		this.queue = null;
		if (this.state == StreamState.CLOSED) {
			this.connection.remove(this);
		}
		if (this.call != null) {
			this.call.streamEnded(failure);
		}
	}

}
