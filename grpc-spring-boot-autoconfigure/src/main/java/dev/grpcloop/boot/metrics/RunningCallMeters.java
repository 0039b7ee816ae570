package dev.grpcloop.boot.metrics;

import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;

/**
 * Counts only how many calls run, where somebody else records what they do.
 */
record RunningCallMeters(Counters loop) implements MethodTelemetry {

	@Override
	public void callStarted() {
		this.loop.add(LoopMeters.CALLS_STARTED, 1);
	}

	@Override
	public void callClosed(Status status, long nanos) {
		this.loop.add(LoopMeters.CALLS_CLOSED, 1);
	}

}
