package dev.grpcloop.engine;

import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;

/**
 * Keeps what the recorder of a method throws from its calls.
 */
final class GuardedMethodTelemetry implements MethodTelemetry {

	private final MethodTelemetry recorder;

	private final TelemetryFaults faults;

	GuardedMethodTelemetry(MethodTelemetry recorder, TelemetryFaults faults) {
		this.recorder = recorder;
		this.faults = faults;
	}

	@Override
	public void callStarted(long arrivalNanos) {
		try {
			this.recorder.callStarted(arrivalNanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "callStarted", ex);
		}
	}

	@Override
	public void callCancelled() {
		try {
			this.recorder.callCancelled();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "callCancelled", ex);
		}
	}

	@Override
	public void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
		try {
			this.recorder.callClosed(status, arrivalNanos, nanos, served);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "callClosed", ex);
		}
	}

	@Override
	public void messageReceived(int bytes) {
		try {
			this.recorder.messageReceived(bytes);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "messageReceived", ex);
		}
	}

	@Override
	public void messageSent(int bytes) {
		try {
			this.recorder.messageSent(bytes);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "messageSent", ex);
		}
	}

}
