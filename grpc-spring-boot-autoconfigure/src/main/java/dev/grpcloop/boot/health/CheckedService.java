package dev.grpcloop.boot.health;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;

import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorMembership;
import org.springframework.boot.health.contributor.Status;

/**
 * How the status of a service, or of the server as a whole, follows from those of health
 * contributors.
 *
 * @param membership which contributors count
 * @param aggregator makes one status of theirs
 * @param mapping says what that is to gRPC clients
 */
public record CheckedService(HealthContributorMembership membership, StatusAggregator aggregator,
		ServingStatusMapping mapping) {

	boolean hasMemberAmong(Set<String> contributors) {
		return contributors.stream().anyMatch(this.membership::isMember);
	}

	ServingStatus of(Map<String, Status> contributors) {
		Set<Status> statuses = new LinkedHashSet<>();
		contributors.forEach((name, status) -> {
			if (this.membership.isMember(name)) {
				statuses.add(status);
			}
		});
		return this.mapping.map(this.aggregator.getAggregateStatus(statuses));
	}

}
