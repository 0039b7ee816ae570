package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.accesslog.AccessLog;
import dev.grpcloop.boot.accesslog.AccessLogFormat;
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
class AccessLogConfiguration {

	private final AccessLogFormat format;

	private final int queueCapacity;

	/** A wrong value stops the start, whether there is a log or not. */
	AccessLogConfiguration(GrpcServerProperties properties) {
		this.format = properties.getAccessLog().getFormat();
		this.queueCapacity = AllowedValues.atLeast("grpc.server.access-log.queue-capacity",
				properties.getAccessLog().getQueueCapacity(), 1);
	}

	@Bean
	@Conditional(OnAccessLogEnabled.class)
	@ConditionalOnMissingBean
	AccessLog grpcLoopAccessLog() {
		return new AccessLog(this.format, this.queueCapacity);
	}

}
