package dev.grpcloop.boot.test.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of clients of the server that a test
 * has started, for injection into the test.
 *
 * @see LocalGrpcClient
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
public final class LocalGrpcClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static LocalClientInjection grpcLoopLocalClientInjection() {
		return new LocalClientInjection();
	}

	@Bean
	@ConditionalOnMissingBean
	RunningServers grpcLoopRunningServers() {
		return new RunningServers();
	}

	@Bean
	@ConditionalOnMissingBean
	LocalClients grpcLoopLocalClients(RunningServers servers, ApplicationContext context) {
		return new LocalClients(servers, context);
	}

}
