package dev.grpcloop.boot.autoconfigure;

import java.util.Set;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnObservationEnabled;
import dev.grpcloop.boot.metrics.CallMeterSettings;
import dev.grpcloop.boot.metrics.CallMetersFactory;
import dev.grpcloop.boot.observation.CallObservation;
import dev.grpcloop.boot.observation.CallObservationInterceptor;
import dev.grpcloop.boot.observation.ObservedMethods;
import dev.grpcloop.boot.observation.ObservedRecorders;
import dev.grpcloop.boot.observation.UnseenCalls;
import dev.grpcloop.boot.statistics.CallRecorder;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationPredicate;

import org.springframework.beans.factory.BeanFactory;
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
	 * Exactly one recorder writes {@code grpc.server}: an interceptor, where there is one
	 * that observes calls, records them with the same names, and only those that it never
	 * sees are recorded here.
	 */
	@Bean
	@ConditionalOnMissingBean(name = "grpcLoopCallMetersFactory")
	@Conditional(OnObservationEnabled.class)
	CallRecorder.Factory grpcLoopCallMetersFactory(MeterRegistry registry,
			ObjectProvider<ServerInterceptor> interceptors, ObjectProvider<CallObservation> observation,
			ObjectProvider<ObservationPredicate> predicates, ObjectProvider<ObservationFilter> filters,
			Environment environment, BeanFactory beanFactory) {
		if (isIntercepted(interceptors, observation)) {
			return new UnseenCalls(registry, beanFactory);
		}
		CallMeterSettings settings = CallMeterSettings.of(filters.orderedStream().toList(), ignoredMeters(environment));
		return new ObservedRecorders(new CallMetersFactory(registry, settings), new ObservedMethods(predicates));
	}

	/**
	 * The interceptors are made to see what they are, since the type of a bean that is
	 * not made yet may say less.
	 */
	private static boolean isIntercepted(ObjectProvider<ServerInterceptor> interceptors,
			ObjectProvider<CallObservation> observation) {
		CallObservation ours = observation.getIfAvailable();
		return interceptors.stream()
			.filter(ObservationGrpcServerInterceptor.class::isInstance)
			.anyMatch((interceptor) -> !(interceptor instanceof CallObservationInterceptor)
					|| (ours != null && ours.isIntercepted()));
	}

	private static Set<IgnoredMeters> ignoredMeters(Environment environment) {
		return Binder.get(environment)
			.bind("management.metrics.observations.ignored-meters", Bindable.setOf(IgnoredMeters.class))
			.orElse(Set.of());
	}

}
