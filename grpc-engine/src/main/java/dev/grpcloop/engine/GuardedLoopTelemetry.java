package dev.grpcloop.engine;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the recorder of a loop throws from the loop and its connections.
 */
final class GuardedLoopTelemetry implements LoopTelemetry {

	private final LoopTelemetry recorder;

	private final TelemetryFaults faults;

	GuardedLoopTelemetry(LoopTelemetry recorder, TelemetryFaults faults) {
		this.recorder = recorder;
		this.faults = faults;
	}

	@Override
	public void connectionOpened() {
		try {
			this.recorder.connectionOpened();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "connectionOpened", ex);
		}
	}

	@Override
	public void handshakeCompleted(long nanos) {
		try {
			this.recorder.handshakeCompleted(nanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "handshakeCompleted", ex);
		}
	}

	@Override
	public void connectionClosed(CloseReason reason) {
		try {
			this.recorder.connectionClosed(reason);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "connectionClosed", ex);
		}
	}

	@Override
	public void streamOpened() {
		try {
			this.recorder.streamOpened();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "streamOpened", ex);
		}
	}

	@Override
	public void streamClosed() {
		try {
			this.recorder.streamClosed();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "streamClosed", ex);
		}
	}

	@Override
	public void requestRefused(Refusal refusal) {
		try {
			this.recorder.requestRefused(refusal);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "requestRefused", ex);
		}
	}

	@Override
	public void protocolFault(long errorCode, boolean connection) {
		try {
			this.recorder.protocolFault(errorCode, connection);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "protocolFault", ex);
		}
	}

	@Override
	public void bytesReceived(int bytes) {
		try {
			this.recorder.bytesReceived(bytes);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "bytesReceived", ex);
		}
	}

	@Override
	public void bytesSent(int bytes) {
		try {
			this.recorder.bytesSent(bytes);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "bytesSent", ex);
		}
	}

	@Override
	public void flushed(int frames, int bytes) {
		try {
			this.recorder.flushed(frames, bytes);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "flushed", ex);
		}
	}

	@Override
	public void resetReceived(long errorCode) {
		try {
			this.recorder.resetReceived(errorCode);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "resetReceived", ex);
		}
	}

	@Override
	public void resetSent(long errorCode) {
		try {
			this.recorder.resetSent(errorCode);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "resetSent", ex);
		}
	}

	@Override
	public void flowControlStalled() {
		try {
			this.recorder.flowControlStalled();
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "flowControlStalled", ex);
		}
	}

	@Override
	public void flowControlResumed(long nanos) {
		try {
			this.recorder.flowControlResumed(nanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "flowControlResumed", ex);
		}
	}

	@Override
	public void turned(long busyNanos, long waitedNanos) {
		try {
			this.recorder.turned(busyNanos, waitedNanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "turned", ex);
		}
	}

	@Override
	public void guardTripped(Guard guard) {
		try {
			this.recorder.guardTripped(guard);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "guardTripped", ex);
		}
	}

	@Override
	public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		String name = (method != null) ? method.getFullMethodName() : "null";
		MethodTelemetry recorder = this.faults.required(this.recorder, "method(" + name + ")",
				() -> this.recorder.method(method));
		return (recorder != MethodTelemetry.NOOP) ? new GuardedMethodTelemetry(recorder, this.faults) : recorder;
	}

}
