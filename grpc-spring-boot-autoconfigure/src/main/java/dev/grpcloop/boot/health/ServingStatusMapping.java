package dev.grpcloop.boot.health;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;

import org.springframework.boot.health.contributor.Status;

/**
 * What a status of Spring Boot is to gRPC clients. One that is not mapped is SERVING.
 */
public final class ServingStatusMapping {

	private static final ServingStatusMapping DEFAULT = new ServingStatusMapping(
			Map.of(Status.DOWN.getCode(), ServingStatus.NOT_SERVING, Status.OUT_OF_SERVICE.getCode(),
					ServingStatus.NOT_SERVING, Status.UNKNOWN.getCode(), ServingStatus.UNKNOWN));

	private final Map<String, ServingStatus> statuses;

	private ServingStatusMapping(Map<String, ServingStatus> statuses) {
		Map<String, ServingStatus> uniform = new HashMap<>();
		statuses.forEach((code, status) -> uniform.put(uniform(code), status));
		this.statuses = Map.copyOf(uniform);
	}

	/**
	 * A mapping of some statuses, which takes the place of the whole default.
	 * @param statuses codes of statuses, in which case and punctuation do not count
	 * @return the mapping; if it would be empty, the default: DOWN and OUT_OF_SERVICE are
	 * NOT_SERVING, and UNKNOWN is UNKNOWN
	 */
	public static ServingStatusMapping of(Map<String, ServingStatus> statuses) {
		return statuses.isEmpty() ? DEFAULT : new ServingStatusMapping(statuses);
	}

	ServingStatus map(Status status) {
		return this.statuses.getOrDefault(uniform(status.getCode()), ServingStatus.SERVING);
	}

	private static String uniform(String code) {
		return code.codePoints()
			.filter(Character::isLetterOrDigit)
			.mapToObj((point) -> Character.toString(Character.toLowerCase(point)))
			.collect(Collectors.joining());
	}

}
