package dev.grpcloop.boot.health;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/**
 * Tells the server's health what the application says of its availability.
 */
public final class AvailabilityListener implements ApplicationListener<AvailabilityChangeEvent<?>> {

	private final ManagedServerHealth health;

	private final boolean followReadiness;

	/**
	 * A listener for a server.
	 * @param health the server's health
	 * @param followReadiness whether the server is SERVING only while the application
	 * accepts traffic
	 */
	public AvailabilityListener(ManagedServerHealth health, boolean followReadiness) {
		this.health = health;
		this.followReadiness = followReadiness;
	}

	@Override
	public void onApplicationEvent(AvailabilityChangeEvent<?> event) {
		if (this.followReadiness && event.getState() instanceof ReadinessState readiness) {
			this.health.acceptTraffic(readiness == ReadinessState.ACCEPTING_TRAFFIC);
		}
		this.health.checkSoon();
	}

}
