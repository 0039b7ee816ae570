package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnHealthEnabled;
import dev.grpcloop.boot.health.AvailabilityListener;
import dev.grpcloop.boot.health.HealthCheck;
import dev.grpcloop.boot.health.HealthSchedule;
import dev.grpcloop.boot.health.HealthServices;
import dev.grpcloop.boot.health.ManagedServerHealth;
import dev.grpcloop.boot.server.ServerHealth;
import dev.grpcloop.boot.server.ServerMode;
import io.grpc.protobuf.services.HealthStatusManager;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;

/**
 * The server's health where grpc-services is there.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthStatusManager.class)
@ConditionalOnMissingSpringBootServer
@EnableConfigurationProperties(HealthProperties.class)
class HealthConfiguration {

	private static final Log logger = LogFactory.getLog(HealthConfiguration.class);

	/** {@code SpringApplication} registers it, and says later on when all is ready. */
	private static final String APPLICATION_ARGUMENTS = "springApplicationArguments";

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnMissingSpringBootServer
	@Conditional(OnHealthEnabled.class)
	HealthStatusManager grpcLoopHealthStatusManager() {
		return new HealthStatusManager();
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnHealthEnabled.class)
	HealthServices grpcLoopHealthServices(ObjectProvider<HealthStatusManager> managers, HealthProperties properties) {
		return new HealthServices(managers.getIfUnique(), Boolean.TRUE.equals(properties.getEnabled()));
	}

	/**
	 * The managers of the application hear of a stop even where none of them is to be
	 * served by us.
	 */
	@Bean
	@ConditionalOnMissingBean(ServerHealth.class)
	ManagedServerHealth grpcLoopServerHealth(ObjectProvider<HealthStatusManager> managers,
			ObjectProvider<HealthCheck> check, ObjectProvider<TaskScheduler> clock, HealthProperties properties,
			ObjectProvider<ApplicationAvailability> availability, ApplicationContext context) {
		properties.validate();
		HealthCheck ownCheck = check.getIfAvailable();
		if (ownCheck == null && !properties.getService().isEmpty()) {
			logger.warn("grpc.server.health.service has no effect: there are no health contributors, "
					+ "which spring-boot-starter-actuator brings");
		}
		return new ManagedServerHealth(managers.orderedStream().toList(), true,
				!properties.isIncludeOverallHealth() || acceptsTraffic(availability.getIfAvailable(), context),
				ownCheck, schedule(properties.getSchedule(), clock.getIfUnique()));
	}

	private static boolean acceptsTraffic(@Nullable ApplicationAvailability availability, ApplicationContext context) {
		AvailabilityChangeEvent<ReadinessState> change = (availability != null)
				? availability.getLastChangeEvent(ReadinessState.class) : null;
		return (change != null) ? change.getState() == ReadinessState.ACCEPTING_TRAFFIC
				: !context.containsLocalBean(APPLICATION_ARGUMENTS);
	}

	private static @Nullable HealthSchedule schedule(HealthProperties.Schedule schedule,
			@Nullable TaskScheduler clock) {
		Duration delay = Duration
			.ofNanos(AllowedValues.nanos("grpc.server.health.schedule.delay", schedule.getDelay()));
		Duration period = Duration
			.ofNanos(AllowedValues.positiveNanos("grpc.server.health.schedule.period", schedule.getPeriod()));
		return schedule.isEnabled() ? new HealthSchedule(delay, period, clock) : null;
	}

	/**
	 * Hears of a change after {@link ApplicationAvailability}, which health contributors
	 * ask: that is made first, for the bean before.
	 */
	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(ManagedServerHealth.class)
	AvailabilityListener grpcLoopAvailabilityListener(ManagedServerHealth health, HealthProperties properties) {
		return new AvailabilityListener(health, properties.isIncludeOverallHealth());
	}

}
