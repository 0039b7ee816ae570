package dev.grpcloop.engine.http2;

import java.net.SocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.Status;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of one connection: its streams, its two flow windows, and the batch in which
 * all of them write.
 * <p>
 * Everything belongs to the event loop of the channel, but for {@link #inEventLoop},
 * {@link #shutdown} and {@link #shutdownNow}.
 */
public final class Http2Connection {

	static final System.Logger LOGGER = System.getLogger(Http2Connection.class.getPackageName());

	private static final byte[] NO_REASON = {};

	private final EventLoop eventLoop;

	private final CallLoop callLoop;

	private final ConnectionPolicy policy;

	private final TransportAttributes attributes;

	private final IntObjectMap<Http2Stream> streams = new IntObjectHashMap<>(4);

	private final FrameWriter frames;

	private final ResponseWriter responses;

	private final InboundFlow inboundFlow;

	private final OutboundFlow outboundFlow;

	private final ConnectionBatch batch;

	private final MemoryPressure pressure;

	private final AbuseGuards abuse;

	private final AbandonedCalls abandonedCalls = new AbandonedCalls();

	private final RequestDispatcher requests;

	private final ConnectionErrors errors;

	private final ConnectionClose close;

	private final ConnectionTimers timers;

	private final ClosedStreams closedStreams = new ClosedStreams();

	private int lastStreamId;

	Http2Connection(ChannelHandlerContext ctx, CallLoop callLoop, LoopMemory memory,
			ConnectionEnvironment environment) {
		this.eventLoop = ctx.channel().eventLoop();
		this.callLoop = callLoop;
		this.policy = environment.policy();
		this.attributes = new TransportAttributes(ctx.channel(), environment.filters());
		LoopTelemetry telemetry = callLoop.telemetry();
		ConnectionLimits limits = this.policy.limits();
		this.frames = new FrameWriter(ctx, telemetry);
		byte[] acceptEncoding = environment.acceptEncoding();
		this.responses = new ResponseWriter(this.frames, (acceptEncoding.length > 0) ? acceptEncoding : null);
		this.inboundFlow = new InboundFlow(this.frames, limits.flowControlWindow());
		this.batch = new ConnectionBatch(this.eventLoop, this);
		this.outboundFlow = new OutboundFlow(telemetry, callLoop::nanoTime, this.batch::drainInNext);
		this.pressure = new MemoryPressure(ctx.channel(), this, memory);
		this.abuse = new AbuseGuards(this.batch, this.policy.abuse(), limits.maxConcurrentStreams());
		this.requests = new RequestDispatcher(this, callLoop, environment.calls());
		this.errors = new ConnectionErrors(ctx.channel(), this);
		this.close = new ConnectionClose(ctx, this);
		this.timers = new ConnectionTimers(this.eventLoop, this);
	}

	FrameWriter frames() {
		return this.frames;
	}

	ResponseWriter responses() {
		return this.responses;
	}

	InboundFlow inboundFlow() {
		return this.inboundFlow;
	}

	OutboundFlow outboundFlow() {
		return this.outboundFlow;
	}

	ConnectionMemory memory() {
		return this.pressure.memory();
	}

	MemoryPressure pressure() {
		return this.pressure;
	}

	IntObjectMap<Http2Stream> streams() {
		return this.streams;
	}

	/**
	 * Returns where the client is. Any thread.
	 * @return its address, or {@code null} if the connection has none any more
	 */
	public @Nullable SocketAddress remoteAddress() {
		return this.attributes.remoteAddress();
	}

	TransportAttributes attributes() {
		return this.attributes;
	}

	LoopTelemetry telemetry() {
		return this.callLoop.telemetry();
	}

	ConnectionLimits limits() {
		return this.policy.limits();
	}

	ConnectionPolicy policy() {
		return this.policy;
	}

	AbuseGuards abuse() {
		return this.abuse;
	}

	AbandonedCalls abandonedCalls() {
		return this.abandonedCalls;
	}

	/**
	 * The time, as {@link System#nanoTime()} tells it.
	 */
	long nanoTime() {
		return this.callLoop.nanoTime();
	}

	ClosedStreams closedStreams() {
		return this.closedStreams;
	}

	RequestDispatcher requests() {
		return this.requests;
	}

	ConnectionErrors errors() {
		return this.errors;
	}

	ConnectionClose closing() {
		return this.close;
	}

	ConnectionTimers timers() {
		return this.timers;
	}

	int lastStreamId() {
		return this.lastStreamId;
	}

	void lastStreamId(int id) {
		this.lastStreamId = id;
	}

	/**
	 * Whether the peer has not opened a stream. Those it opens after GOAWAY are ignored,
	 * and not known to be idle.
	 */
	boolean isIdle(int streamId) {
		return ((streamId & 1) == 0 || streamId > this.lastStreamId) && !this.close.refusesStreams();
	}

	ConnectionBatch batch() {
		return this.batch;
	}

	/**
	 * Something was written; see {@link ConnectionBatch#wrote()}.
	 */
	void wrote() {
		this.batch.wrote();
	}

	boolean inEventLoop() {
		return this.eventLoop.inEventLoop();
	}

	/**
	 * Gives the peer the credit that is owed, at the end of a batch.
	 */
	void returnCredit() {
		if (this.inboundFlow.collects()) {
			for (Http2Stream stream : snapshot()) {
				stream.collectCredit();
			}
		}
		this.inboundFlow.update();
	}

	/**
	 * The channel takes bytes again.
	 */
	void resumeStreams() {
		this.outboundFlow.drain();
		if (this.outboundFlow.isWritable()) {
			for (Http2Stream stream : snapshot()) {
				stream.connectionWritable();
			}
		}
	}

	/**
	 * The streams of now, for a step that may end some.
	 */
	Http2Stream[] snapshot() {
		return this.streams.values().toArray(new Http2Stream[0]);
	}

	Future<?> schedule(Runnable task, long seconds) {
		return this.eventLoop.schedule(task, seconds, TimeUnit.SECONDS);
	}

	/**
	 * The channel takes bytes, or does no longer.
	 */
	void writabilityChanged(boolean writable) {
		this.outboundFlow.writable(writable);
		if (writable) {
			this.batch.resumeAtEnd();
		}
	}

	/**
	 * Streams may have got credit.
	 */
	void resumeOutput() {
		this.outboundFlow.drain();
		wrote();
	}

	// streams

	void remove(OutboundStream stream) {
		if (this.streams.remove(stream.id()) != null) {
			if (stream.endedByPeer()) {
				this.closedStreams.add(stream.id());
			}
			stream.removed();
			telemetry().streamClosed();
			if (this.streams.isEmpty()) {
				this.timers.idle().lastCallEnded();
				wrote();
			}
		}
	}

	/**
	 * The peer's preface has come.
	 * @return {@code false} if a transport filter does not want the connection
	 */
	boolean handshakeDone() {
		this.close.handshakeDone();
		this.timers.handshakeDone();
		boolean wanted = this.attributes.ready();
		if (!wanted) {
			this.errors.endedByServer(CloseReason.REFUSED, "refused by the server");
		}
		return wanted;
	}

	// the end

	/**
	 * Ends the connection without losing a call.
	 * @param cause what ends it
	 * @param reason for the peer's log
	 */
	void retire(CloseReason cause, byte[] reason) {
		this.close.shutdown(cause, reason);
		wrote();
	}

	/**
	 * Ends the connection, and its calls with it.
	 */
	void cutOff(String message) {
		if (!this.close.isClosing()) {
			endStreams(Status.UNAVAILABLE.withDescription(message));
			this.close.drainAndClose();
			wrote();
		}
	}

	/**
	 * The channel is closed.
	 */
	void channelClosed() {
		this.batch.begin();
		this.timers.stop();
		endStreams(Status.CANCELLED.withDescription("The connection was lost"));
		this.attributes.terminated();
		this.frames.close();
		this.close.channelClosed();
		this.batch.end();
		this.pressure.channelClosed();
	}

	void endStreams(Status status) {
		for (Http2Stream stream : snapshot()) {
			stream.onReset(status);
		}
	}

	/**
	 * Ends the connection without losing a call. Any thread.
	 */
	public void shutdown() {
		this.eventLoop.execute(() -> {
			retire(CloseReason.SHUTDOWN, NO_REASON);
		});
	}

	/**
	 * Ends the connection and its calls. Any thread.
	 */
	public void shutdownNow() {
		this.eventLoop.execute(() -> {
			this.close.because(CloseReason.SHUTDOWN);
			Status status = Status.UNAVAILABLE.withDescription("The server is shutting down");
			for (Http2Stream stream : snapshot()) {
				stream.reset(Http2Error.CANCEL, status);
			}
			this.close.closeNow();
			wrote();
		});
	}

}
