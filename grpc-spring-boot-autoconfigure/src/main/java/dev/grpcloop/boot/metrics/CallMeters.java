package dev.grpcloop.boot.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Records the calls of one method on one event loop. All methods are called on that loop
 * only.
 */
final class CallMeters implements MethodTelemetry {

	private static final int CODES = Status.Code.values().length;

	private final MethodMeters meters;

	private final Counters messages;

	private final Counters loop;

	/** By the ordinal of the status code; for the calls that threw nothing. */
	private final @Nullable Timer[] timers = new Timer[CODES];

	/** By the class of what was thrown, then as above. */
	private final Map<Class<?>, @Nullable Timer[]> errorTimers = new HashMap<>();

	CallMeters(MethodMeters meters, Counters loop) {
		this.meters = meters;
		this.messages = meters.addLoop();
		this.loop = loop;
	}

	@Override
	public void callStarted() {
		this.loop.add(LoopMeters.CALLS_STARTED, 1);
	}

	@Override
	public void callClosed(Status status, long nanos) {
		this.loop.add(LoopMeters.CALLS_CLOSED, 1);
		Throwable error = status.getCause();
		if (error == null) {
			record(this.timers, status.getCode(), null, nanos);
		}
		else {
			Class<?> type = error.getClass();
			record(this.errorTimers.computeIfAbsent(type, (key) -> new Timer[CODES]), status.getCode(), type, nanos);
		}
	}

	private void record(@Nullable Timer[] timers, Status.Code code, @Nullable Class<?> error, long nanos) {
		Timer timer = timers[code.ordinal()];
		if (timer == null) {
			timer = this.meters.timer(code, error);
			timers[code.ordinal()] = timer;
		}
		timer.record(nanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public void messageReceived(int bytes) {
		this.messages.add(MethodMeters.RECEIVED, 1);
	}

	@Override
	public void messageSent(int bytes) {
		this.messages.add(MethodMeters.SENT, 1);
	}

}
