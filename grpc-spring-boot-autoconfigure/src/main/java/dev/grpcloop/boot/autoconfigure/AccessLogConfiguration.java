package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.accesslog.AccessLog;
import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnAccessLogEnabled;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * A line in the log for each call, if it is switched on. It comes before the server, so
 * that it ends after it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnAccessLogEnabled.class)
class AccessLogConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AccessLog grpcLoopAccessLog(GrpcServerProperties properties) {
		GrpcServerProperties.AccessLog accessLog = properties.getAccessLog();
		return new AccessLog(accessLog.getFormat(),
				AllowedValues.atLeast("grpc.server.access-log.queue-capacity", accessLog.getQueueCapacity(), 1));
	}

}
