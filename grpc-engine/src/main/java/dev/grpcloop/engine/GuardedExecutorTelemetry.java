package dev.grpcloop.engine;

import dev.grpcloop.engine.telemetry.ExecutorTelemetry;

/**
 * Keeps what the recorder of the executors throws from the calls that are handed to them.
 */
final class GuardedExecutorTelemetry implements ExecutorTelemetry {

	private final ExecutorTelemetry recorder;

	private final TelemetryFaults faults;

	GuardedExecutorTelemetry(ExecutorTelemetry recorder, TelemetryFaults faults) {
		this.recorder = recorder;
		this.faults = faults;
	}

	@Override
	public void handedOver() {
		try {
			this.recorder.handedOver();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "handedOver", ex);
		}
	}

	@Override
	public void begun(long waitedNanos) {
		try {
			this.recorder.begun(waitedNanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "begun", ex);
		}
	}

	@Override
	public void rejected() {
		try {
			this.recorder.rejected();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "rejected", ex);
		}
	}

}
