package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.service.ContextGrpcServiceConfigurer;
import dev.grpcloop.boot.service.ContextGrpcServiceDiscoverer;
import dev.grpcloop.boot.service.ServiceBeans;
import dev.grpcloop.boot.service.ServiceDefinitionRegistrar;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;

/**
 * How services are found, bound and intercepted, for whichever server serves them.
 */
@Configuration(proxyBeanMethods = false)
@Import(ServiceDefinitionRegistrar.class)
class ServiceConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ServiceBeans grpcLoopServiceBeans(BeanFactory beanFactory) {
		return new ServiceBeans(beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean(GrpcServiceDiscoverer.class)
	ContextGrpcServiceDiscoverer grpcLoopServiceDiscoverer(ServiceBeans services,
			ObjectProvider<ServerServiceDefinitionFilter> filters) {
		return new ContextGrpcServiceDiscoverer(services, filters);
	}

	@Bean
	@ConditionalOnMissingBean(GrpcServiceConfigurer.class)
	ContextGrpcServiceConfigurer grpcLoopServiceConfigurer(ServiceBeans services,
			ObjectProvider<ServiceInterceptorContributor> contributors) {
		return new ContextGrpcServiceConfigurer(services, contributors);
	}

}
