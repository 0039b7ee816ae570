package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.metrics.CallMetersFactory;
import dev.grpcloop.boot.metrics.EngineMeters;
import dev.grpcloop.boot.metrics.ServerMeters;
import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.ServerStatistics;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * The engine's numbers as Micrometer meters.
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
	@ConditionalOnMissingBean(CallRecorder.Factory.class)
	CallMetersFactory grpcLoopCallMetersFactory(MeterRegistry registry,
			ObjectProvider<ServerInterceptor> interceptors) {
		boolean recordCalls = interceptors.stream().noneMatch(ObservationGrpcServerInterceptor.class::isInstance);
		return new CallMetersFactory(registry, recordCalls);
	}

	@Bean
	@ConditionalOnBean(ServerStatistics.class)
	@ConditionalOnMissingBean
	EngineMeters grpcLoopEngineMeters(ServerStatistics statistics) {
		return new EngineMeters(statistics);
	}

	@Bean
	@ConditionalOnMissingBean
	ServerMeters grpcLoopServerMeters(MeterRegistry registry) {
		return new ServerMeters(registry);
	}

}
