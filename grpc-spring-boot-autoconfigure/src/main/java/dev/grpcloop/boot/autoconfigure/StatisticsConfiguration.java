package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.engine.telemetry.EngineTelemetry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * The engine's numbers, for whoever shows them.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnMetricsEnabled.class)
class StatisticsConfiguration {

	@Bean
	@ConditionalOnMissingBean(EngineTelemetry.class)
	ServerStatistics grpcLoopServerStatistics(ObjectProvider<CallRecorder.Factory> recorders) {
		return new ServerStatistics(CallRecorder.Factory.of(recorders.orderedStream().toList()));
	}

}
