package dev.grpcloop.engine.http2;

import java.util.function.LongSupplier;

import dev.grpcloop.engine.telemetry.LoopTelemetry;

/**
 * Tells of the time in which a stream, or a connection, has something to send and no
 * credit of its peer's to send it with. The clock is read when it begins and when it
 * ends.
 * <p>
 * Owned by the event loop.
 */
final class Stall {

	private final LoopTelemetry telemetry;

	private final LongSupplier clock;

	private boolean running;

	private long sinceNanos;

	Stall(LoopTelemetry telemetry, LongSupplier clock) {
		this.telemetry = telemetry;
		this.clock = clock;
	}

	/**
	 * There is no credit. Changes nothing if there was none before.
	 */
	void begin() {
		if (!this.running) {
			this.running = true;
			this.sinceNanos = this.clock.getAsLong();
			this.telemetry.flowControlStalled();
		}
	}

	/**
	 * There is credit, or nothing to send. Changes nothing if it was so before.
	 */
	void end() {
		if (this.running) {
			this.running = false;
			this.telemetry.flowControlResumed(this.clock.getAsLong() - this.sinceNanos);
		}
	}

}
