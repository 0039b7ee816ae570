package dev.grpcloop.boot.statistics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one event loop. They never fall. The methods of {@link LoopTelemetry}
 * are called on that loop only, the others on any thread.
 */
public final class LoopStatistics implements LoopTelemetry {

	private static final int CONNECTIONS_OPENED = 0;

	private static final int HANDSHAKES = 1;

	private static final int HANDSHAKE_NANOS = 2;

	private static final int STREAMS_OPENED = 3;

	private static final int STREAMS_CLOSED = 4;

	private static final int BYTES_RECEIVED = 5;

	private static final int BYTES_SENT = 6;

	private static final int FLUSHES = 7;

	private static final int FRAMES_SENT = 8;

	private static final int STALLS_BEGUN = 9;

	private static final int STALLS_ENDED = 10;

	private static final int STALL_NANOS = 11;

	private static final int TURNS = 12;

	private static final int BUSY_NANOS = 13;

	private static final int WAITED_NANOS = 14;

	/** The first of the reasons, which follow in their order. */
	private static final int CLOSE_REASONS = 15;

	private static final int REFUSALS = CLOSE_REASONS + CloseReason.values().length;

	private static final int GUARDS = REFUSALS + Refusal.values().length;

	private static final int SIZE = GUARDS + Guard.values().length;

	private static final String UNKNOWN_METHOD = "";

	private final int index;

	private final Counters counters = new Counters(SIZE);

	private final Function<@Nullable MethodDescriptor<?, ?>, MethodTelemetry> recorders;

	/** A loop of a restarted server goes on with the recorders of its predecessor. */
	private final Map<String, MethodTelemetry> methods = new ConcurrentHashMap<>();

	LoopStatistics(int index, Function<@Nullable MethodDescriptor<?, ?>, MethodTelemetry> recorders) {
		this.index = index;
		this.recorders = recorders;
	}

	/**
	 * Returns the index of the loop.
	 * @return the index, from 0
	 */
	public int index() {
		return this.index;
	}

	/**
	 * Returns how many connections were accepted.
	 * @return the number
	 */
	public long connectionsOpened() {
		return this.counters.get(CONNECTIONS_OPENED);
	}

	/**
	 * Returns how many connections ended for a reason.
	 * @param reason the reason
	 * @return the number
	 */
	public long connectionsClosed(CloseReason reason) {
		return this.counters.get(CLOSE_REASONS + reason.ordinal());
	}

	/**
	 * Returns how many connections are open.
	 * @return the number, never negative
	 */
	public long connections() {
		// in this order: what ends in between has begun before the last reading
		long closed = 0;
		for (CloseReason reason : CloseReason.values()) {
			closed += connectionsClosed(reason);
		}
		return connectionsOpened() - closed;
	}

	/**
	 * Returns how many HTTP/2 handshakes were completed.
	 * @return the number
	 */
	public long handshakes() {
		return this.counters.get(HANDSHAKES);
	}

	/**
	 * Returns how long the completed handshakes took, all together.
	 * @return nanoseconds
	 */
	public long handshakeNanos() {
		return this.counters.get(HANDSHAKE_NANOS);
	}

	/**
	 * Returns how many streams clients have opened.
	 * @return the number
	 */
	public long streamsOpened() {
		return this.counters.get(STREAMS_OPENED);
	}

	/**
	 * Returns how many streams are open.
	 * @return the number, never negative
	 */
	public long streams() {
		long closed = this.counters.get(STREAMS_CLOSED);
		return streamsOpened() - closed;
	}

	/**
	 * Returns how many requests did not become calls for a reason.
	 * @param refusal the reason
	 * @return the number
	 */
	public long refused(Refusal refusal) {
		return this.counters.get(REFUSALS + refusal.ordinal());
	}

	/**
	 * Returns how often a guard has tripped.
	 * @param guard the guard
	 * @return the number
	 */
	public long trips(Guard guard) {
		return this.counters.get(GUARDS + guard.ordinal());
	}

	/**
	 * Returns how much was read from sockets.
	 * @return the number of bytes, HTTP/2 framing included
	 */
	public long bytesReceived() {
		return this.counters.get(BYTES_RECEIVED);
	}

	/**
	 * Returns how much was handed to sockets.
	 * @return the number of bytes, HTTP/2 framing included
	 */
	public long bytesSent() {
		return this.counters.get(BYTES_SENT);
	}

	/**
	 * Returns how often something was handed to a socket.
	 * @return the number
	 */
	public long flushes() {
		return this.counters.get(FLUSHES);
	}

	/**
	 * Returns how many frames were handed to sockets.
	 * @return the number
	 */
	public long framesSent() {
		return this.counters.get(FRAMES_SENT);
	}

	/**
	 * Returns how many streams wait for flow-control credit.
	 * @return the number, never negative
	 */
	public long stalled() {
		long ended = this.counters.get(STALLS_ENDED);
		return this.counters.get(STALLS_BEGUN) - ended;
	}

	/**
	 * Returns how often a stream had to wait for flow-control credit.
	 * @return the number
	 */
	public long stalls() {
		return this.counters.get(STALLS_BEGUN);
	}

	/**
	 * Returns how long streams have waited for flow-control credit, all together; those
	 * that still wait are not in it.
	 * @return nanoseconds
	 */
	public long stallNanos() {
		return this.counters.get(STALL_NANOS);
	}

	/**
	 * Returns how often the loop has looked at its connections.
	 * @return the number; 0 for event loops that the application has brought
	 */
	public long turns() {
		return this.counters.get(TURNS);
	}

	/**
	 * Returns how long the loop has worked.
	 * @return nanoseconds; 0 for event loops that the application has brought
	 */
	public long busyNanos() {
		return this.counters.get(BUSY_NANOS);
	}

	/**
	 * Returns how long the loop has waited for its connections.
	 * @return nanoseconds; 0 for event loops that the application has brought
	 */
	public long waitedNanos() {
		return this.counters.get(WAITED_NANOS);
	}

	@Override
	public void connectionOpened() {
		this.counters.add(CONNECTIONS_OPENED, 1);
	}

	@Override
	public void handshakeCompleted(long nanos) {
		this.counters.add(HANDSHAKES, 1);
		this.counters.add(HANDSHAKE_NANOS, nanos);
	}

	@Override
	public void connectionClosed(CloseReason reason) {
		this.counters.add(CLOSE_REASONS + reason.ordinal(), 1);
	}

	@Override
	public void streamOpened() {
		this.counters.add(STREAMS_OPENED, 1);
	}

	@Override
	public void streamClosed() {
		this.counters.add(STREAMS_CLOSED, 1);
	}

	@Override
	public void requestRefused(Refusal refusal) {
		this.counters.add(REFUSALS + refusal.ordinal(), 1);
	}

	@Override
	public void bytesReceived(int bytes) {
		this.counters.add(BYTES_RECEIVED, bytes);
	}

	@Override
	public void bytesSent(int bytes) {
		this.counters.add(BYTES_SENT, bytes);
	}

	@Override
	public void flushed(int frames, int bytes) {
		this.counters.add(FLUSHES, 1);
		this.counters.add(FRAMES_SENT, frames);
	}

	@Override
	public void flowControlStalled() {
		this.counters.add(STALLS_BEGUN, 1);
	}

	@Override
	public void flowControlResumed(long nanos) {
		this.counters.add(STALL_NANOS, nanos);
		this.counters.add(STALLS_ENDED, 1);
	}

	@Override
	public void turned(long busyNanos, long waitedNanos) {
		this.counters.add(TURNS, 1);
		this.counters.add(BUSY_NANOS, busyNanos);
		this.counters.add(WAITED_NANOS, waitedNanos);
	}

	@Override
	public void guardTripped(Guard guard) {
		this.counters.add(GUARDS + guard.ordinal(), 1);
	}

	@Override
	public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		String key = (method != null) ? method.getFullMethodName() : UNKNOWN_METHOD;
		return this.methods.computeIfAbsent(key, (name) -> this.recorders.apply(method));
	}

}
