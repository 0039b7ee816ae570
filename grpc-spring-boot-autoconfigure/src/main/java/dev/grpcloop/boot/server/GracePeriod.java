package dev.grpcloop.boot.server;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long calls may go on after a stop.
 *
 * @param duration 0 not at all, negative for as long as they take
 */
record GracePeriod(Duration duration) {

	/**
	 * Says why calls may get less time than this.
	 * @param phaseTimeout how long the context waits for a phase to stop, if known
	 * @return one sentence, or {@code null} if they get all of it
	 */
	@Nullable String warning(@Nullable Duration phaseTimeout) {
		if (phaseTimeout == null || (!isUnlimited() && this.duration.compareTo(phaseTimeout) <= 0)) {
			return null;
		}
		return "grpc.server.shutdown.grace-period is %s, but the application waits no longer than %s "
			.formatted(isUnlimited() ? "unlimited" : this.duration, phaseTimeout)
				+ "(spring.lifecycle.timeout-per-shutdown-phase): calls that take longer are cancelled then. "
				+ "Raise the timeout or shorten the grace period.";
	}

	boolean isUnlimited() {
		return this.duration.isNegative();
	}

}
