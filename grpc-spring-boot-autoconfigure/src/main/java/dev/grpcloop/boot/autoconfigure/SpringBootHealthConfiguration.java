package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnOverallHealthIncluded;
import dev.grpcloop.boot.health.AvailabilityListener;
import dev.grpcloop.boot.health.ManagedServerHealth;
import dev.grpcloop.boot.health.ReportingGrpcServerHealth;
import dev.grpcloop.boot.server.ServerHealth;
import io.grpc.protobuf.services.HealthStatusManager;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.grpc.server.health.GrpcServerHealth;
import org.springframework.boot.grpc.server.health.HealthCheckedGrpcComponents;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * What Spring Boot's own health service does not do: it does not hear that the server
 * drains, or that the application refuses traffic.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthStatusManager.class)
@ConditionalOnSpringBootServer
class SpringBootHealthConfiguration {

	/** Spring Boot has a server SERVING from the start, and so have we here. */
	@Bean
	@ConditionalOnMissingBean(ServerHealth.class)
	ManagedServerHealth grpcLoopServerHealth(ObjectProvider<HealthStatusManager> managers) {
		return new ManagedServerHealth(managers.orderedStream().toList(), false, true, null, null);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(ManagedServerHealth.class)
	@Conditional(OnOverallHealthIncluded.class)
	AvailabilityListener grpcLoopAvailabilityListener(ManagedServerHealth health) {
		return new AvailabilityListener(health, true);
	}

	/** Where Spring Boot checks the health of the application. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HealthContributorRegistry.class)
	static class Checks {

		@Bean
		@ConditionalOnMissingBean(name = "grpcLoopServerHealthReporter")
		static BeanPostProcessor grpcLoopServerHealthReporter(ObjectProvider<ManagedServerHealth> health,
				ObjectProvider<HealthContributorRegistry> registry,
				ObjectProvider<HealthCheckedGrpcComponents> components) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof GrpcServerHealth checks && health.getIfAvailable() != null)
							? new ReportingGrpcServerHealth(checks, health.getObject(), registry.getObject(),
									components.getObject())
							: bean;
				}

			};
		}

	}

}
