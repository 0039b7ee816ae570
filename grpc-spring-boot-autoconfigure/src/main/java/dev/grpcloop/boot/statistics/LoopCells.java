package dev.grpcloop.boot.statistics;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.Refusal;

/**
 * Where the numbers of an event loop are among its {@link Counters}.
 */
final class LoopCells {

	static final int CONNECTIONS_OPENED = 0;

	static final int HANDSHAKES = 1;

	static final int HANDSHAKE_NANOS = 2;

	static final int STREAMS_OPENED = 3;

	static final int STREAMS_CLOSED = 4;

	static final int BYTES_RECEIVED = 5;

	static final int BYTES_SENT = 6;

	static final int FLUSHES = 7;

	static final int FRAMES_SENT = 8;

	static final int STALLS_BEGUN = 9;

	static final int STALLS_ENDED = 10;

	static final int STALL_NANOS = 11;

	static final int TURNS = 12;

	static final int BUSY_NANOS = 13;

	static final int WAITED_NANOS = 14;

	/** The first of the reasons, which follow in their order. */
	static final int CLOSE_REASONS = 15;

	static final int REFUSALS = CLOSE_REASONS + CloseReason.values().length;

	static final int GUARDS = REFUSALS + Refusal.values().length;

	static final int RESETS_RECEIVED = GUARDS + Guard.values().length;

	static final int RESETS_SENT = RESETS_RECEIVED + ErrorCode.values().length;

	static final int STREAM_FAULTS = RESETS_SENT + ErrorCode.values().length;

	static final int CONNECTION_FAULTS = STREAM_FAULTS + ErrorCode.values().length;

	static final int SIZE = CONNECTION_FAULTS + ErrorCode.values().length;

	private LoopCells() {
	}

}
