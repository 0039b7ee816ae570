package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnObservationEnabled;
import dev.grpcloop.boot.observation.CallObservation;
import dev.grpcloop.boot.observation.CallObservationInterceptor;
import dev.grpcloop.boot.observation.ObservedStreams;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;

/**
 * Observations of calls, where the application has a use for them. The interceptor takes
 * the place of Spring Boot's and has its order; one of the application takes the place of
 * both.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ObservationRegistry.class, ObservationGrpcServerInterceptor.class })
@ConditionalOnBean(ObservationRegistry.class)
@Conditional(OnObservationEnabled.class)
class ObservationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CallObservation grpcLoopCallObservation(GrpcServerProperties properties,
			ConfigurableListableBeanFactory beanFactory) {
		return new CallObservation(properties.getObservation().getRecorder(), EventLoopGrpcServerFactory.class,
				beanFactory);
	}

	@Bean
	@Order(0)
	@GlobalServerInterceptor
	@ConditionalOnMissingBean(ObservationGrpcServerInterceptor.class)
	CallObservationInterceptor grpcLoopObservationInterceptor(ObservationRegistry registry, CallObservation observation,
			ObjectProvider<GrpcServerObservationConvention> convention) {
		CallObservationInterceptor interceptor = new CallObservationInterceptor(registry, observation);
		convention.ifAvailable(interceptor::setCustomConvention);
		return interceptor;
	}

	@Bean
	@ConditionalOnBean(CallObservationInterceptor.class)
	@ConditionalOnMissingBean
	ObservedStreams grpcLoopObservedStreams(CallObservation observation) {
		return new ObservedStreams(observation);
	}

}
