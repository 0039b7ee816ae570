package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.GrpcServerExecutorProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Takes the place of Spring Boot's own gRPC server: reads its properties and asks its
 * beans.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSpringBootServer
class SpringBootServerConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static SpringBootPropertiesAdvisor grpcLoopSpringBootPropertiesAdvisor() {
		return new SpringBootPropertiesAdvisor();
	}

	@Bean
	@ConditionalOnBean(org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider.class)
	@ConditionalOnMissingBean
	GrpcServerExecutorProvider grpcLoopServerExecutorProvider(
			org.springframework.boot.grpc.server.autoconfigure.GrpcServerExecutorProvider provider) {
		return provider::getExecutor;
	}

	@Bean
	@ConditionalOnMissingBean
	ServerFactoryHook grpcLoopServerFactoryHook(ObjectProvider<GrpcServerFactoryCustomizer> customizers) {
		return (factory) -> customizers.orderedStream().forEach((customizer) -> customizer.customize(factory));
	}

}
