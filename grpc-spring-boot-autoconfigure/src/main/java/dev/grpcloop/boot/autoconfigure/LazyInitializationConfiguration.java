package dev.grpcloop.boot.autoconfigure;

import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/**
 * Servers start with the context even where beans are made on demand: nothing in the
 * application would ever ask for them.
 */
@Configuration(proxyBeanMethods = false)
class LazyInitializationConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "grpcLoopLazyInitializationExcludeFilter")
	static LazyInitializationExcludeFilter grpcLoopLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(GrpcServerLifecycle.class);
	}

}
