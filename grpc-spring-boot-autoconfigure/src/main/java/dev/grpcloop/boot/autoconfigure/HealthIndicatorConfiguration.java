package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.endpoint.GrpcServerHealthIndicator;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The component {@code grpcServer} of the application's health.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("grpcserver")
@ConditionalOnBean(EventLoopGrpcServerLifecycle.class)
class HealthIndicatorConfiguration {

	/** Spring Boot takes the name of the component from that of the bean. */
	private static final String NAME = "grpcServerHealthIndicator";

	@Bean(NAME)
	@ConditionalOnMissingBean(name = { NAME, "grpcServer", "grpcServerHealthContributor" })
	GrpcServerHealthIndicator grpcLoopServerHealthIndicator(ObjectProvider<EventLoopGrpcServerLifecycle> lifecycle) {
		return new GrpcServerHealthIndicator(ServerSource.of(lifecycle));
	}

}
