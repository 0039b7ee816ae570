package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnHealthEnabled;
import dev.grpcloop.boot.health.HealthStatusManagers;
import dev.grpcloop.boot.server.ServerHealth;
import dev.grpcloop.boot.server.ServerMode;
import io.grpc.protobuf.services.HealthStatusManager;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * The server's health where grpc-services is there.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthStatusManager.class)
class HealthConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnMissingSpringBootServer
	@Conditional(OnHealthEnabled.class)
	HealthStatusManager grpcLoopHealthStatusManager() {
		return new HealthStatusManager();
	}

	/**
	 * The managers of the application hear of a stop even where none of them is to be
	 * served by us.
	 */
	@Bean
	@ConditionalOnMissingBean(ServerHealth.class)
	HealthStatusManagers grpcLoopServerHealth(ObjectProvider<HealthStatusManager> managers,
			GrpcServerProperties properties) {
		return new HealthStatusManagers(managers.orderedStream().toList(),
				(properties.mode() == ServerMode.ALONE && properties.getHealth().isEnabled()) ? managers.getIfUnique()
						: null);
	}

}
