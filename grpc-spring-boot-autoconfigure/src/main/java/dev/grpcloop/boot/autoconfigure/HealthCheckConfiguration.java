package dev.grpcloop.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.grpcloop.boot.autoconfigure.HealthProperties.Status;
import dev.grpcloop.boot.health.CheckedService;
import dev.grpcloop.boot.health.ContributorHealthCheck;
import dev.grpcloop.boot.health.HealthCheck;
import dev.grpcloop.boot.health.ServingStatusMapping;
import io.grpc.protobuf.services.HealthStatusManager;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorMembership;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The server's health where the application tells its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ HealthStatusManager.class, HealthContributorRegistry.class })
@ConditionalOnMissingSpringBootServer
@ConditionalOnBean(HealthContributorRegistry.class)
class HealthCheckConfiguration {

	@Bean
	@ConditionalOnMissingBean(HealthCheck.class)
	ContributorHealthCheck grpcLoopHealthCheck(HealthContributorRegistry registry,
			ObjectProvider<ReactiveHealthContributorRegistry> reactiveRegistry, HealthProperties properties) {
		StatusAggregator aggregator = StatusAggregator.of(properties.getStatus().getOrder());
		ServingStatusMapping mapping = ServingStatusMapping.of(properties.getStatus().getMapping());
		Map<String, CheckedService> services = new LinkedHashMap<>();
		properties.getService().forEach((name, service) -> {
			Status status = service.getStatus();
			services.put(name,
					new CheckedService(
							HealthContributorMembership.byIncludeExclude(service.getInclude(), service.getExclude()),
							status.getOrder().isEmpty() ? aggregator : StatusAggregator.of(status.getOrder()),
							status.getMapping().isEmpty() ? mapping : ServingStatusMapping.of(status.getMapping())));
		});
		ReactiveHealthContributorRegistry reactive = reactiveRegistry.getIfAvailable();
		return new ContributorHealthCheck(registry, reactive,
				properties.isIncludeOverallHealth()
						? new CheckedService(HealthContributorMembership.always(), aggregator, mapping) : null,
				services, new HealthMembershipValidation(registry, reactive, properties));
	}

}
