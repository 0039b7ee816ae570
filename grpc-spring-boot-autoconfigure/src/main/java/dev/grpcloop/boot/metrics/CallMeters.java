package dev.grpcloop.boot.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.CallRecorder;
import io.grpc.Status;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of the calls of one method on one event loop. Used on that loop only.
 */
final class CallMeters implements CallRecorder {

	private static final int CODES = Status.Code.values().length;

	private final MethodMeters meters;

	/** By the ordinal of the status code; for the calls that threw nothing. */
	private final @Nullable Timer[] timers = new Timer[CODES];

	/** By the class of what was thrown, then as above. */
	private final Map<Class<?>, @Nullable Timer[]> errorTimers = new HashMap<>();

	CallMeters(MethodMeters meters) {
		this.meters = meters;
	}

	@Override
	public void closed(Status status, long nanos, boolean served) {
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

}
