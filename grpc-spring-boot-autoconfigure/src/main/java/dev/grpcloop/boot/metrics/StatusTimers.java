package dev.grpcloop.boot.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.grpcloop.boot.statistics.CallRecorder;
import io.grpc.Status;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A timer of the calls of one method for each status, kept once it was asked for. Used on
 * one event loop only.
 */
final class StatusTimers implements CallRecorder {

	/** By the ordinal of the status code. */
	private final @Nullable Timer[] timers = new Timer[Status.Code.values().length];

	private final Function<Status.Code, Timer> registration;

	StatusTimers(Function<Status.Code, Timer> registration) {
		this.registration = registration;
	}

	@Override
	public void closed(Status status, long nanos, boolean served) {
		Status.Code code = status.getCode();
		Timer timer = this.timers[code.ordinal()];
		if (timer == null) {
			timer = this.registration.apply(code);
			this.timers[code.ordinal()] = timer;
		}
		timer.record(nanos, TimeUnit.NANOSECONDS);
	}

}
