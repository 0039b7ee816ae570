package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.EngineTelemetry;
import io.grpc.MethodDescriptor;

/**
 * Notices that service code holds an event loop, and says which method it is. It looks at
 * the loops from a thread of its own, so that it costs a call nothing but to say when it
 * begins and ends.
 */
public final class LoopWatchdog {

	private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final long thresholdNanos;

	private final EngineTelemetry telemetry;

	private final List<Watched> loops = new ArrayList<>();

	private final Map<String, Long> lastLogged = new HashMap<>();

	/**
	 * Creates a watchdog.
	 * @param loops the loops to look at
	 * @param thresholdNanos how long a callback may hold a loop
	 * @param telemetry counts what is found
	 */
	public LoopWatchdog(Iterable<CallLoop> loops, long thresholdNanos, EngineTelemetry telemetry) {
		this.thresholdNanos = thresholdNanos;
		this.telemetry = telemetry;
		loops.forEach((loop) -> this.loops.add(new Watched(loop)));
	}

	/**
	 * Looks at all loops once; to be called a few times in each threshold.
	 * @param now the time as {@link System#nanoTime()} tells it
	 */
	public void look(long now) {
		for (Watched watched : this.loops) {
			watched.look(now);
		}
	}

	private void blocked(CallLoop loop, MethodDescriptor<?, ?> method, long nanos, long now) {
		this.telemetry.loopBlocked(method, nanos);
		Long last = this.lastLogged.get(method.getFullMethodName());
		if (last != null && now - last < LOG_INTERVAL_NANOS) {
			return;
		}
		this.lastLogged.put(method.getFullMethodName(), now);
		StringBuilder message = new StringBuilder(method.getFullMethodName()).append(" has held its event loop for ")
			.append(TimeUnit.NANOSECONDS.toMillis(nanos))
			.append(" ms (the limit is ")
			.append(TimeUnit.NANOSECONDS.toMillis(this.thresholdNanos))
			.append(" ms). All connections of this loop wait. Code that blocks or computes for long must run off the "
					+ "loop: on an executor, or in Spring with @Blocking on the method or its class.");
		for (StackTraceElement element : loop.stack()) {
			message.append(System.lineSeparator()).append("\tat ").append(element);
		}
		CallDelivery.LOGGER.log(System.Logger.Level.WARNING, message.toString());
	}

	private final class Watched {

		private final CallLoop loop;

		private long seenEntry;

		private long seenSince;

		private boolean reported;

		Watched(CallLoop loop) {
			this.loop = loop;
		}

		void look(long now) {
			long entry = this.loop.entry();
			if (entry != this.seenEntry) {
				this.seenEntry = entry;
				this.seenSince = now;
				this.reported = false;
				return;
			}
			MethodRoute<?, ?> route = this.loop.entered();
			if (CallLoop.isInside(entry) && !this.reported && route != null
					&& now - this.seenSince >= LoopWatchdog.this.thresholdNanos) {
				this.reported = true;
				blocked(this.loop, route.descriptor(), now - this.seenSince, now);
			}
		}

	}

}
