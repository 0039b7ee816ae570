package dev.grpcloop.boot.health;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;

import org.springframework.boot.grpc.server.health.GrpcServerHealth;
import org.springframework.boot.grpc.server.health.HealthCheckedGrpcComponents;
import org.springframework.boot.health.registry.HealthContributorRegistry;

/**
 * Spring Boot's check of the server's health, of which a manager is told by the
 * {@link ManagedServerHealth}: that knows when the server drains, and when the
 * application refuses traffic.
 */
public final class ReportingGrpcServerHealth extends GrpcServerHealth {

	private final GrpcServerHealth checks;

	private final ManagedServerHealth health;

	/**
	 * Takes the place of another.
	 * @param checks the other, which still does the work
	 * @param health is told what it finds
	 * @param registry what the other asks
	 * @param components what the other checks
	 */
	public ReportingGrpcServerHealth(GrpcServerHealth checks, ManagedServerHealth health,
			HealthContributorRegistry registry, HealthCheckedGrpcComponents components) {
		super(registry, null, components);
		this.checks = checks;
		this.health = health;
	}

	@Override
	public void update(HealthStatusManager manager) {
		if (this.health.tells(manager)) {
			Map<String, ServingStatus> statuses = new HashMap<>();
			this.checks.update(statuses::put);
			this.health.report(statuses);
		}
		else {
			this.checks.update(manager);
		}
	}

	@Override
	public void update(BiConsumer<String, ServingStatus> updater) {
		this.checks.update(updater);
	}

}
