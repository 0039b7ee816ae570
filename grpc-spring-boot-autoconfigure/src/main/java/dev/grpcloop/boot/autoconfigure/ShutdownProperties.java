package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.convert.DurationUnit;

/**
 * How the server stops.
 */
public class ShutdownProperties {

	/**
	 * How long the server goes on as before when the application stops, while its health
	 * says NOT_SERVING. Time for load balancers to look elsewhere. A number without a
	 * unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration drainDelay = Duration.ZERO;

	/**
	 * How long running calls may go on when the server stops. With '0' they are cancelled
	 * at once, with a negative value they may take as long as they need. A number without
	 * a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration gracePeriod = Duration.ofSeconds(30);

	public Duration getDrainDelay() {
		return this.drainDelay;
	}

	public void setDrainDelay(Duration drainDelay) {
		this.drainDelay = drainDelay;
	}

	public Duration getGracePeriod() {
		return this.gracePeriod;
	}

	public void setGracePeriod(Duration gracePeriod) {
		this.gracePeriod = gracePeriod;
	}

}
