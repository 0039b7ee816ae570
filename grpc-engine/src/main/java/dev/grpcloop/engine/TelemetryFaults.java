package dev.grpcloop.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What the recorders of a server throw. Each hook is logged once a minute at most: a
 * recorder that throws for every call must not fill the disk as well.
 * <p>
 * Any thread.
 */
final class TelemetryFaults {

	private static final System.Logger LOGGER = System.getLogger(TelemetryFaults.class.getName());

	private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final Map<String, Long> lastLogged = new ConcurrentHashMap<>();

	/**
	 * A hook has thrown, and the engine goes on.
	 * @param recorder whose hook it is
	 * @param hook the name of the method
	 */
	void thrown(Object recorder, String hook, Throwable ex) {
		if (isDue(hook, System.nanoTime())) {
			LOGGER.log(System.Logger.Level.WARNING, () -> recorder.getClass().getName() + " threw in " + hook
					+ ", and what it was told is not recorded. This is logged once a minute.", ex);
		}
	}

	private boolean isDue(String hook, long now) {
		Long last = this.lastLogged.get(hook);
		if (last == null) {
			return this.lastLogged.putIfAbsent(hook, now) == null;
		}
		return now - last >= LOG_INTERVAL_NANOS && this.lastLogged.replace(hook, last, now);
	}

	/**
	 * Asks for a recorder.
	 * @param asked who is asked
	 * @param question the call, for the message
	 * @throws IllegalStateException if there is none
	 */
	<T> T required(Object asked, String question, Supplier<@Nullable T> answer) {
		T recorder;
		try {
			recorder = answer.get();
		}
		catch (Throwable ex) {
			throw new IllegalStateException("The telemetry has no recorder to give: " + asked.getClass().getName()
					+ " threw in " + question + ": " + ex, ex);
		}
		if (recorder == null) {
			throw new IllegalStateException("The telemetry has no recorder to give: " + asked.getClass().getName()
					+ " returned null from " + question + "; NOOP is a recorder that records nothing");
		}
		return recorder;
	}

}
