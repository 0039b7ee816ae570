package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.convert.DurationUnit;

/**
 * How the server stops.
 */
public class ShutdownProperties {

	/**
	 * How long running calls may go on when the server stops. With '0' they are cancelled
	 * at once, with a negative value they may take as long as they need. A number without
	 * a unit is seconds.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration gracePeriod = Duration.ofSeconds(30);

	public Duration getGracePeriod() {
		return this.gracePeriod;
	}

	public void setGracePeriod(Duration gracePeriod) {
		this.gracePeriod = gracePeriod;
	}

}
