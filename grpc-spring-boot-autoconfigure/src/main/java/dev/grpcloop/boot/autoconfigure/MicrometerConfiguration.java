package dev.grpcloop.boot.autoconfigure;

import java.util.Set;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.metrics.CallMeterSettings;
import dev.grpcloop.boot.metrics.CallMetersFactory;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationPredicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The calls as Micrometer meters.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@Conditional(OnMetricsEnabled.class)
class MicrometerConfiguration {

	/**
	 * Exactly one recorder writes {@code grpc.server}: an observation interceptor, where
	 * there is one, records the same calls with the same names. The interceptors are made
	 * to see it, since the type of a bean that is not made yet may say less.
	 */
	@Bean
	@ConditionalOnMissingBean
	CallMetersFactory grpcLoopCallMetersFactory(MeterRegistry registry, ObjectProvider<ServerInterceptor> interceptors,
			ObjectProvider<ObservationPredicate> predicates, ObjectProvider<ObservationFilter> filters,
			Environment environment) {
		boolean recordCalls = interceptors.stream().noneMatch(ObservationGrpcServerInterceptor.class::isInstance);
		return new CallMetersFactory(registry, recordCalls ? CallMeterSettings.of(predicates.orderedStream().toList(),
				filters.orderedStream().toList(), ignoredMeters(environment)) : CallMeterSettings.OFF);
	}

	private static Set<IgnoredMeters> ignoredMeters(Environment environment) {
		return Binder.get(environment)
			.bind("management.metrics.observations.ignored-meters", Bindable.setOf(IgnoredMeters.class))
			.orElse(Set.of());
	}

}
