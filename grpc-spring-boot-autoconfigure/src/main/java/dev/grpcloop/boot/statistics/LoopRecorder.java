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
 * Counts what happens on one event loop. Used on that loop only.
 */
final class LoopRecorder implements LoopTelemetry {

	private static final String UNKNOWN_METHOD = "";

	private final Counters counters;

	private final RecentMaximum longestTurn;

	private final Function<@Nullable MethodDescriptor<?, ?>, MethodTelemetry> recorders;

	/** A loop of a restarted server goes on with the recorders of its predecessor. */
	private final Map<String, MethodTelemetry> methods = new ConcurrentHashMap<>();

	LoopRecorder(Counters counters, RecentMaximum longestTurn,
			Function<@Nullable MethodDescriptor<?, ?>, MethodTelemetry> recorders) {
		this.counters = counters;
		this.longestTurn = longestTurn;
		this.recorders = recorders;
	}

	@Override
	public void connectionOpened() {
		this.counters.add(LoopCells.CONNECTIONS_OPENED, 1);
	}

	@Override
	public void handshakeCompleted(long nanos) {
		this.counters.add(LoopCells.HANDSHAKES, 1);
		this.counters.add(LoopCells.HANDSHAKE_NANOS, nanos);
	}

	@Override
	public void connectionClosed(CloseReason reason) {
		this.counters.add(LoopCells.CLOSE_REASONS + reason.ordinal(), 1);
	}

	@Override
	public void streamOpened() {
		this.counters.add(LoopCells.STREAMS_OPENED, 1);
	}

	@Override
	public void streamClosed() {
		this.counters.add(LoopCells.STREAMS_CLOSED, 1);
	}

	@Override
	public void requestRefused(Refusal refusal) {
		this.counters.add(LoopCells.REFUSALS + refusal.ordinal(), 1);
	}

	@Override
	public void protocolFault(long errorCode, boolean connection) {
		int faults = connection ? LoopCells.CONNECTION_FAULTS : LoopCells.STREAM_FAULTS;
		this.counters.add(faults + ErrorCode.of(errorCode).ordinal(), 1);
	}

	@Override
	public void resetReceived(long errorCode) {
		this.counters.add(LoopCells.RESETS_RECEIVED + ErrorCode.of(errorCode).ordinal(), 1);
	}

	@Override
	public void resetSent(long errorCode) {
		this.counters.add(LoopCells.RESETS_SENT + ErrorCode.of(errorCode).ordinal(), 1);
	}

	@Override
	public void bytesReceived(int bytes) {
		this.counters.add(LoopCells.BYTES_RECEIVED, bytes);
	}

	@Override
	public void bytesSent(int bytes) {
		this.counters.add(LoopCells.BYTES_SENT, bytes);
	}

	@Override
	public void flushed(int frames, int bytes) {
		this.counters.add(LoopCells.FLUSHES, 1);
		this.counters.add(LoopCells.FRAMES_SENT, frames);
	}

	@Override
	public void flowControlStalled() {
		this.counters.add(LoopCells.STALLS_BEGUN, 1);
	}

	@Override
	public void flowControlResumed(long nanos) {
		this.counters.add(LoopCells.STALL_NANOS, nanos);
		this.counters.add(LoopCells.STALLS_ENDED, 1);
	}

	@Override
	public void turned(long busyNanos, long waitedNanos) {
		this.counters.add(LoopCells.TURNS, 1);
		this.counters.add(LoopCells.BUSY_NANOS, busyNanos);
		this.counters.add(LoopCells.WAITED_NANOS, waitedNanos);
		this.longestTurn.record(busyNanos);
	}

	@Override
	public void guardTripped(Guard guard) {
		this.counters.add(LoopCells.GUARDS + guard.ordinal(), 1);
	}

	@Override
	public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		String key = (method != null) ? method.getFullMethodName() : UNKNOWN_METHOD;
		return this.methods.computeIfAbsent(key, (name) -> this.recorders.apply(method));
	}

}
