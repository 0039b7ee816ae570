package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.CallEnvironment;
import dev.grpcloop.engine.call.CallLoop;
import dev.grpcloop.engine.call.CallRequest;
import dev.grpcloop.engine.call.InboundCall;
import dev.grpcloop.engine.call.MethodRoute;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.Attributes;
import io.grpc.Grpc;
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

	private final ChannelHandlerContext ctx;

	private final EventLoop eventLoop;

	private final CallLoop callLoop;

	private final CallEnvironment environment;

	private final ConnectionPolicy policy;

	private final TransportFilters filters;

	private final IntObjectMap<Http2Stream> streams = new IntObjectHashMap<>(4);

	private final FrameWriter frames;

	private final ResponseWriter responses;

	private final InboundFlow inboundFlow;

	private final OutboundFlow outboundFlow;

	private final ConnectionBatch batch;

	private final ConnectionMemory memory;

	private final SocketBacklog backlog;

	private final UnreadOutputGuard unreadOutput;

	private final AbuseGuards abuse;

	private final AbandonedCalls abandonedCalls = new AbandonedCalls();

	private final ConnectionClose close;

	private final ConnectionTimers timers;

	private final PingStrikes pingStrikes;

	private final ClosedStreams closedStreams = new ClosedStreams();

	private int lastStreamId;

	/** Calls on other threads ask too. */
	private volatile @Nullable Attributes attributes;

	Http2Connection(ChannelHandlerContext ctx, CallLoop callLoop, LoopMemory memory, CallEnvironment environment,
			ConnectionPolicy policy, byte[] acceptEncoding, TransportFilters filters) {
		this.ctx = ctx;
		this.eventLoop = ctx.channel().eventLoop();
		this.callLoop = callLoop;
		this.environment = environment;
		this.policy = policy;
		this.filters = filters;
		LoopTelemetry telemetry = callLoop.telemetry();
		this.frames = new FrameWriter(ctx, telemetry);
		this.responses = new ResponseWriter(this.frames, (acceptEncoding.length > 0) ? acceptEncoding : null);
		this.inboundFlow = new InboundFlow(this.frames, policy.limits().flowControlWindow());
		this.batch = new ConnectionBatch(this.eventLoop, this);
		this.outboundFlow = new OutboundFlow(telemetry, this.batch::drainInNext);
		this.memory = new ConnectionMemory(memory, this::giveMemoryBack);
		this.backlog = new SocketBacklog(ctx.channel(), this.frames, this.memory, policy.life().stallNanos(),
				() -> unread(Guard.WRITE_STALL));
		this.unreadOutput = new UnreadOutputGuard(this.memory);
		this.abuse = new AbuseGuards(this.batch, policy.abuse(), policy.limits().maxConcurrentStreams());
		this.close = new ConnectionClose(ctx, this);
		this.timers = new ConnectionTimers(this.eventLoop, this);
		this.pingStrikes = new PingStrikes(policy.life());
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
		return this.memory;
	}

	IntObjectMap<Http2Stream> streams() {
		return this.streams;
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
	 * The connection begins.
	 */
	void opened() {
		if (!this.memory.open()) {
			LOGGER.log(System.Logger.Level.DEBUG, () -> this.ctx.channel() + " is closed: the server holds too much");
			telemetry().guardTripped(Guard.MEMORY);
			this.close.abandon();
		}
	}

	/**
	 * The memory is scarce, and the connection holds more than its share.
	 */
	private void giveMemoryBack() {
		this.batch.run(this::endLargestCalls);
		if (this.memory.isGreedy() && !this.close.isClosing()) {
			// what its socket does not take, and nobody can take back
			LOGGER.log(System.Logger.Level.DEBUG,
					() -> this.ctx.channel() + " is closed: " + this.memory.exhausted().getDescription());
			telemetry().guardTripped(Guard.MEMORY);
			this.close.abandon();
		}
	}

	private void endLargestCalls() {
		Http2Stream[] largestFirst = snapshot();
		Arrays.sort(largestFirst, Comparator.comparingLong(Http2Stream::held).reversed());
		for (Http2Stream stream : largestFirst) {
			if (!this.memory.isGreedy()) {
				return;
			}
			stream.exhausted();
		}
	}

	/**
	 * All that was written was flushed: what the socket has not taken waits in memory.
	 */
	void flushed() {
		long waiting = this.backlog.measure();
		if (waiting == 0) {
			return;
		}
		if (this.unreadOutput.isExceeded(waiting)) {
			unread(Guard.UNREAD_OUTPUT);
		}
		else if (!this.outboundFlow.isPaused() && this.memory.isGreedy()) {
			this.outboundFlow.paused(true);
			this.frames.whenTaken(this::resumeAfterPause);
		}
	}

	private void resumeAfterPause() {
		this.outboundFlow.paused(false);
		this.batch.resumeAtEnd();
	}

	/**
	 * Ends the connection of a peer that does not read what it is sent.
	 */
	private void unread(Guard guard) {
		if (!this.close.isClosing()) {
			LOGGER.log(System.Logger.Level.DEBUG, () -> this.ctx.channel() + " does not read; it is closed: " + guard);
			telemetry().guardTripped(guard);
			this.close.abandon();
		}
	}

	/**
	 * Ends the connection if a guard has tripped while something was written.
	 */
	void checkGuards() {
		FrameBudget exceeded = this.abuse.tripped();
		if (exceeded != null) {
			abused(exceeded.guard(), AbuseException.debugData(exceeded.guard(), exceeded.excess()));
		}
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

	private Http2Stream[] snapshot() {
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

	/**
	 * The peer opened a stream with a well-formed request.
	 */
	void open(int streamId, RequestHeaders headers, boolean endOfStream) {
		Http2Stream stream = new Http2Stream(streamId, this, headers, endOfStream);
		this.streams.put(streamId, stream);
		// a block that has led to a method before needs no second look
		RequestCheck.Refusal refusal = (headers.route() != null) ? null : RequestCheck.check(headers);
		if (refusal != null) {
			stream.refuse(refusal);
		}
		else if (headers.badMetadata() != null) {
			stream.writeTrailers(Status.INTERNAL.withDescription(headers.badMetadata()), new byte[0][]);
		}
		else {
			startCall(stream, headers);
		}
		if (endOfStream) {
			stream.requestEnded();
		}
	}

	private void startCall(Http2Stream stream, RequestHeaders headers) {
		CallRequest request = new CallRequest(headers.newMetadata(), headers.encoding(), headers.acceptEncoding(),
				headers.timeoutNanos(), this.batch.nanos());
		MethodRoute<?, ?> route = headers.route();
		if (route == null) {
			route = this.environment.registry().lookup(headers.requestPath());
			if (route != null) {
				headers.route(route);
			}
			else {
				try {
					route = this.environment.registry()
						.lookupFallback(headers.requestPath(), headers.requestAuthority());
				}
				catch (Throwable ex) {
					InboundCall.lookupFailed(stream, this.callLoop, this.environment, headers.requestPath(), request,
							ex);
					return;
				}
			}
		}
		if (route == null) {
			InboundCall.unknownMethod(stream, this.callLoop, this.environment, headers.requestPath(), request);
			return;
		}
		InboundCall.start(route, stream, this.callLoop, this.environment, request);
	}

	void remove(Http2Stream stream) {
		if (this.streams.remove(stream.id()) != null) {
			if (stream.endedByPeer()) {
				this.closedStreams.add(stream.id());
			}
			stream.removed();
			if (this.streams.isEmpty()) {
				this.timers.idle().lastCallEnded();
				wrote();
			}
		}
	}

	Attributes attributes() {
		Attributes known = this.attributes;
		if (known == null) {
			known = transportAttributes();
			this.attributes = known;
		}
		return known;
	}

	private Attributes transportAttributes() {
		Attributes.Builder builder = Attributes.newBuilder();
		builder.set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, this.ctx.channel().remoteAddress());
		builder.set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, this.ctx.channel().localAddress());
		return builder.build();
	}

	/**
	 * The peer's preface has come.
	 * @return {@code false} if a transport filter does not want the connection
	 */
	boolean handshakeDone() {
		this.close.handshakeDone();
		this.timers.handshakeDone();
		if (this.filters.isEmpty()) {
			return true;
		}
		try {
			this.attributes = this.filters.ready(transportAttributes());
			return true;
		}
		catch (RuntimeException ex) {
			LOGGER.log(System.Logger.Level.WARNING,
					() -> "A transport filter threw in transportReady; " + this.ctx.channel() + " is closed", ex);
			connectionError(Http2Error.INTERNAL_ERROR, "refused by the server");
			return false;
		}
	}

	// errors and the end

	/**
	 * The peer broke a rule on one stream (RFC 9113 section 5.4.2).
	 */
	void streamError(int streamId, Http2Error error, String message) throws AbuseException {
		this.abuse.protocolFault();
		LOGGER.log(System.Logger.Level.DEBUG, () -> this.ctx.channel() + " stream " + streamId + ": " + message);
		Http2Stream stream = this.streams.get(streamId);
		if (stream != null) {
			stream.reset(error, Status.CANCELLED.withDescription(message));
			wrote();
		}
		else if (this.closedStreams.contains(streamId)) {
			this.frames.resetStream(streamId, error.code());
			wrote();
		}
		else if (isIdle(streamId)) {
			// a stream that was never opened cannot be reset (section 6.4)
			connectionError(error, message);
		}
	}

	/**
	 * The peer broke a rule of the connection (RFC 9113 section 5.4.1): it is told, and
	 * the connection ends.
	 */
	void connectionError(Http2Error error, String message) {
		LOGGER.log(System.Logger.Level.DEBUG, () -> this.ctx.channel() + ": " + error + ": " + message);
		if (this.close.isClosing()) {
			return;
		}
		this.frames.goAway(this.lastStreamId, error.code(), message.getBytes(StandardCharsets.UTF_8));
		endStreams(Status.UNAVAILABLE.withDescription("The connection was closed: " + message));
		this.close.close();
		wrote();
	}

	/**
	 * A guard has tripped: the connection ends.
	 * @param guard which one
	 * @param message names it, and says why
	 */
	void abused(Guard guard, String message) {
		trip(guard, Http2Error.ENHANCE_YOUR_CALM, message);
	}

	/**
	 * A protection against the peer has tripped: it is told why, and the connection ends.
	 * @param message is the debug data of GOAWAY
	 */
	void trip(Guard guard, Http2Error error, String message) {
		if (!this.close.isClosing()) {
			telemetry().guardTripped(guard);
			connectionError(error, message);
		}
	}

	/**
	 * A protection against the peer has tripped, and there is nobody to be told. Not to
	 * be called within a batch.
	 * @param fault what the peer does
	 */
	void abandon(Guard guard, String fault) {
		if (!this.close.isClosing()) {
			telemetry().guardTripped(guard);
			LOGGER.log(System.Logger.Level.DEBUG, () -> this.ctx.channel() + " " + fault + "; it is closed");
			endStreams(Status.UNAVAILABLE.withDescription("The connection was closed: the client " + fault));
			this.close.abandon();
		}
	}

	/**
	 * The peer has sent a ping, which is answered with its own content, or was one too
	 * many.
	 */
	void pinged(long content) {
		if (this.frames.takeAnswered()) {
			this.pingStrikes.reset();
		}
		if (this.pingStrikes.isTooMany(this.batch.nanos(), !this.streams.isEmpty())) {
			trip(Guard.TOO_MANY_PINGS, Http2Error.ENHANCE_YOUR_CALM, "too_many_pings");
			return;
		}
		this.frames.ping(true, content);
		wrote();
	}

	/**
	 * Ends the connection without losing a call.
	 * @param reason for the peer's log
	 */
	void retire(byte[] reason) {
		this.close.shutdown(reason);
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
		if (!this.filters.isEmpty()) {
			this.filters.terminated(attributes());
		}
		this.frames.close();
		this.close.channelClosed();
		this.batch.end();
		this.backlog.close();
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
			retire(NO_REASON);
		});
	}

	/**
	 * Ends the connection and its calls. Any thread.
	 */
	public void shutdownNow() {
		this.eventLoop.execute(() -> {
			Status status = Status.UNAVAILABLE.withDescription("The server is shutting down");
			for (Http2Stream stream : snapshot()) {
				stream.reset(Http2Error.CANCEL, status);
			}
			this.close.closeNow();
			wrote();
		});
	}

}
