package dev.grpcloop.boot.health;

import java.util.Map;
import java.util.Set;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;

/**
 * What decides the health of a server and of its services, other than that the server
 * runs.
 */
public interface HealthCheck {

	/**
	 * Returns the names that this check decides alone, for as long as the server runs.
	 * @return the names, without that of the server as a whole
	 */
	Set<String> services();

	/**
	 * Makes sure, when the server starts, that the check can be made.
	 */
	default void validate() {
	}

	/**
	 * Makes the check. It may take its time, but only one is made at a time.
	 * @return the status of each of the {@link #services() services}, and that of the
	 * server as a whole under the empty name, if this check has a say in it
	 */
	Map<String, ServingStatus> check();

	/**
	 * Describes what the check that runs is waiting for.
	 * @return words for a log message
	 */
	String progress();

}
