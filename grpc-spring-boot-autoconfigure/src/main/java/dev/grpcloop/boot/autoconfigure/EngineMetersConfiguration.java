package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.accesslog.AccessLog;
import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnMetricsEnabled;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.metrics.AccessLogMeters;
import dev.grpcloop.boot.metrics.EngineMeters;
import dev.grpcloop.boot.metrics.ServerMeters;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.statistics.ServerStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * The engine's numbers as Micrometer meters, which Spring Boot binds to its registries.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, EventLoopGrpcServerFactory.class })
@Conditional(OnMetricsEnabled.class)
class EngineMetersConfiguration {

	@Bean
	@ConditionalOnBean(ServerStatistics.class)
	@ConditionalOnMissingBean
	EngineMeters grpcLoopEngineMeters(ServerStatistics statistics) {
		return new EngineMeters(statistics);
	}

	@Bean
	@ConditionalOnMissingBean
	ServerMeters grpcLoopServerMeters(EventLoopGrpcServerFactory factory, CallExecutorFactory executors) {
		return new ServerMeters(executors.canHavePool() ? factory::lastExecutor : null);
	}

	@Bean
	@ConditionalOnBean(AccessLog.class)
	@ConditionalOnMissingBean
	AccessLogMeters grpcLoopAccessLogMeters(AccessLog accessLog) {
		return new AccessLogMeters(accessLog.dropped());
	}

	/**
	 * The allocator of all connections is Netty's default, each kind of which has
	 * numbers.
	 */
	@Bean
	@ConditionalOnMissingBean
	NettyAllocatorMetrics grpcLoopNettyAllocatorMetrics() {
		return new NettyAllocatorMetrics((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT);
	}

}
