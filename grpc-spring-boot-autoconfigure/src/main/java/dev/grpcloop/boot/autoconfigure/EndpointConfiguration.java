package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.endpoint.GrpcEndpoint;
import dev.grpcloop.boot.endpoint.GrpcEndpointWebExtension;
import dev.grpcloop.boot.endpoint.RecentActivity;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.statistics.ServerStatistics;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The actuator's endpoint {@code grpc}, where it is exposed.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(endpoint = GrpcEndpoint.class)
@EnableConfigurationProperties(GrpcEndpointProperties.class)
class EndpointConfiguration {

	private static final String METRICS = "grpc.server.metrics.enabled";

	@Bean
	@ConditionalOnBean(ServerStatistics.class)
	@ConditionalOnMissingBean
	RecentActivity grpcLoopRecentActivity(ServerStatistics statistics) {
		return RecentActivity.of(statistics);
	}

	@Bean
	@ConditionalOnMissingBean
	GrpcEndpoint grpcLoopEndpoint(ObjectProvider<EventLoopGrpcServerLifecycle> lifecycle,
			ObjectProvider<ServerStatistics> statistics, ObjectProvider<RecentActivity> activity,
			GrpcEndpointProperties properties, Environment environment) {
		ServerStatistics counts = statistics.getIfAvailable();
		return (counts != null)
				? new GrpcEndpoint(ServerSource.of(lifecycle), counts, activity.getObject(), properties.getShowValues())
				: new GrpcEndpoint(ServerSource.of(lifecycle), reason(environment), properties.getShowValues());
	}

	private static String reason(Environment environment) {
		return environment.getProperty(METRICS, Boolean.class, true)
				? "The application has an EngineTelemetry bean of its own, which takes the counts."
				: METRICS + " is false: nothing is counted.";
	}

	@Bean
	@ConditionalOnBean(GrpcEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	@ConditionalOnMissingBean
	GrpcEndpointWebExtension grpcLoopEndpointWebExtension(GrpcEndpoint endpoint, GrpcEndpointProperties properties) {
		return new GrpcEndpointWebExtension(endpoint, properties.getShowValues(), properties.getRoles());
	}

}
