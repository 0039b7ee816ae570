package dev.grpcloop.boot.statistics;

import java.util.function.LongSupplier;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.Refusal;

/**
 * The numbers of one event loop. Counts never fall. Any thread may read them; none of
 * that asks anything of the loop.
 */
public final class LoopStatistics {

	private final int index;

	private final Counters counters;

	private final RecentMaximum longestTurn;

	private final RecentShare busyShare;

	LoopStatistics(int index, Counters counters, RecentMaximum longestTurn, LongSupplier clock) {
		this.index = index;
		this.counters = counters;
		this.longestTurn = longestTurn;
		this.busyShare = new RecentShare(clock, this::busyNanos);
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
		return this.counters.get(LoopCells.CONNECTIONS_OPENED);
	}

	/**
	 * Returns how many connections ended for a reason.
	 * @param reason the reason
	 * @return the number
	 */
	public long connectionsClosed(CloseReason reason) {
		return this.counters.get(LoopCells.CLOSE_REASONS + reason.ordinal());
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
		return this.counters.get(LoopCells.HANDSHAKES);
	}

	/**
	 * Returns how long the completed handshakes took, all together.
	 * @return nanoseconds
	 */
	public long handshakeNanos() {
		return this.counters.get(LoopCells.HANDSHAKE_NANOS);
	}

	/**
	 * Returns how many streams clients have opened.
	 * @return the number
	 */
	public long streamsOpened() {
		return this.counters.get(LoopCells.STREAMS_OPENED);
	}

	/**
	 * Returns how many streams are open.
	 * @return the number, never negative
	 */
	public long streams() {
		long closed = this.counters.get(LoopCells.STREAMS_CLOSED);
		return streamsOpened() - closed;
	}

	/**
	 * Returns how many requests did not become calls for a reason.
	 * @param refusal the reason
	 * @return the number
	 */
	public long refused(Refusal refusal) {
		return this.counters.get(LoopCells.REFUSALS + refusal.ordinal());
	}

	/**
	 * Returns how often peers have reset streams.
	 * @param code what they gave as the reason
	 * @return the number
	 */
	public long resetsReceived(ErrorCode code) {
		return this.counters.get(LoopCells.RESETS_RECEIVED + code.ordinal());
	}

	/**
	 * Returns how often the server has reset streams.
	 * @param code what it gave as the reason
	 * @return the number
	 */
	public long resetsSent(ErrorCode code) {
		return this.counters.get(LoopCells.RESETS_SENT + code.ordinal());
	}

	/**
	 * Returns how often clients have broken a rule of HTTP/2 and lost a stream by it.
	 * @param code what they were told
	 * @return the number
	 */
	public long streamFaults(ErrorCode code) {
		return this.counters.get(LoopCells.STREAM_FAULTS + code.ordinal());
	}

	/**
	 * Returns how often clients have broken a rule of HTTP/2 and lost the connection by
	 * it.
	 * @param code what they were told
	 * @return the number
	 */
	public long connectionFaults(ErrorCode code) {
		return this.counters.get(LoopCells.CONNECTION_FAULTS + code.ordinal());
	}

	/**
	 * Returns how often a guard has tripped.
	 * @param guard the guard
	 * @return the number
	 */
	public long trips(Guard guard) {
		return this.counters.get(LoopCells.GUARDS + guard.ordinal());
	}

	/**
	 * Returns how much was read from sockets.
	 * @return the number of bytes, HTTP/2 framing included
	 */
	public long bytesReceived() {
		return this.counters.get(LoopCells.BYTES_RECEIVED);
	}

	/**
	 * Returns how much was handed to sockets.
	 * @return the number of bytes, HTTP/2 framing included
	 */
	public long bytesSent() {
		return this.counters.get(LoopCells.BYTES_SENT);
	}

	/**
	 * Returns how often something was handed to a socket.
	 * @return the number
	 */
	public long flushes() {
		return this.counters.get(LoopCells.FLUSHES);
	}

	/**
	 * Returns how many frames were handed to sockets.
	 * @return the number
	 */
	public long framesSent() {
		return this.counters.get(LoopCells.FRAMES_SENT);
	}

	/**
	 * Returns how many streams wait for flow-control credit.
	 * @return the number, never negative
	 */
	public long stalled() {
		long ended = this.counters.get(LoopCells.STALLS_ENDED);
		return this.counters.get(LoopCells.STALLS_BEGUN) - ended;
	}

	/**
	 * Returns how often a stream had to wait for flow-control credit.
	 * @return the number
	 */
	public long stalls() {
		return this.counters.get(LoopCells.STALLS_BEGUN);
	}

	/**
	 * Returns how often a stream got the flow-control credit that it had to wait for, or
	 * ended without it.
	 * @return the number
	 */
	public long stallsEnded() {
		return this.counters.get(LoopCells.STALLS_ENDED);
	}

	/**
	 * Returns how long streams have waited for flow-control credit, all together; those
	 * that still wait are not in it.
	 * @return nanoseconds
	 */
	public long stallNanos() {
		return this.counters.get(LoopCells.STALL_NANOS);
	}

	/**
	 * Returns how often the loop has looked at its connections.
	 * @return the number; 0 for event loops that the application has brought
	 */
	public long turns() {
		return this.counters.get(LoopCells.TURNS);
	}

	/**
	 * Returns how long the loop has worked.
	 * @return nanoseconds; 0 for event loops that the application has brought
	 */
	public long busyNanos() {
		return this.counters.get(LoopCells.BUSY_NANOS);
	}

	/**
	 * Returns how long the loop has waited for its connections.
	 * @return nanoseconds; 0 for event loops that the application has brought
	 */
	public long waitedNanos() {
		return this.counters.get(LoopCells.WAITED_NANOS);
	}

	/**
	 * Returns how much of the last minute the loop has worked.
	 * @return from 0 to 1; not a number before its first turn, and so for event loops
	 * that the application has brought
	 */
	public double busyShare() {
		return (turns() > 0) ? this.busyShare.get() : Double.NaN;
	}

	/**
	 * Returns the longest time of the last minutes that the loop has worked without
	 * looking at its connections.
	 * @return nanoseconds, 0 if there was none
	 */
	public long longestTurnNanos() {
		return this.longestTurn.get();
	}

}
