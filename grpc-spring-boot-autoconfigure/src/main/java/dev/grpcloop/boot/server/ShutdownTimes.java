package dev.grpcloop.boot.server;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long a server takes to stop.
 *
 * @param drainDelay how long it goes on as before while its health says NOT_SERVING, at
 * least 0
 * @param gracePeriod how long calls may go on after that; 0 not at all, negative for as
 * long as they take
 * @param phaseTimeout how long the context waits for both, if known
 */
public record ShutdownTimes(Duration drainDelay, Duration gracePeriod, @Nullable Duration phaseTimeout) {

	/**
	 * Says why calls may get less time than the grace period.
	 * @param mode under which names the properties were read
	 * @return what to do about it, or {@code null} if they get all of it
	 */
	@Nullable String warning(ServerMode mode) {
		if (this.phaseTimeout == null
				|| (!isGraceUnlimited() && this.gracePeriod.compareTo(this.phaseTimeout.minus(this.drainDelay)) <= 0)) {
			return null;
		}
		return "%s is %s and %s is %s, ".formatted(mode.property("shutdown.drain-delay"), this.drainDelay,
				mode.property("shutdown.grace-period"), isGraceUnlimited() ? "unlimited" : this.gracePeriod)
				+ "but the application waits no longer than %s ".formatted(this.phaseTimeout)
				+ "(spring.lifecycle.timeout-per-shutdown-phase) for both together: calls that take longer are "
				+ "cancelled then. Raise the timeout or shorten one of the two.";
	}

	boolean isGraceUnlimited() {
		return this.gracePeriod.isNegative();
	}

}
