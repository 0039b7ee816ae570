package dev.grpcloop.engine;

import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.MethodDescriptor;

/**
 * Stands between the engine and a recorder, which is the application's code: what one
 * throws while the server runs is logged, and harms no call, connection or loop. A
 * recorder that is not there when the server starts stops the start.
 * <p>
 * A hook that does not throw pays for one more call, which the compiler removes.
 */
final class GuardedEngineTelemetry implements EngineTelemetry {

	private final EngineTelemetry recorder;

	private final TelemetryFaults faults = new TelemetryFaults();

	GuardedEngineTelemetry(EngineTelemetry recorder) {
		this.recorder = recorder;
	}

	@Override
	public LoopTelemetry loop(int loop) {
		LoopTelemetry recorder = this.faults.required(this.recorder, "loop(" + loop + ")",
				() -> this.recorder.loop(loop));
		return (recorder != LoopTelemetry.NOOP) ? new GuardedLoopTelemetry(recorder, this.faults) : recorder;
	}

	@Override
	public ExecutorTelemetry executor() {
		ExecutorTelemetry recorder = this.faults.required(this.recorder, "executor()", this.recorder::executor);
		return (recorder != ExecutorTelemetry.NOOP) ? new GuardedExecutorTelemetry(recorder, this.faults) : recorder;
	}

	@Override
	public void loopBlocked(MethodDescriptor<?, ?> method, long nanos) {
		try {
			this.recorder.loopBlocked(method, nanos);
		}
		catch (Throwable ex) {
			this.faults.thrown(this.recorder, "loopBlocked", ex);
		}
	}

}
