package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.exception.AdviceDiscoverer;
import dev.grpcloop.boot.exception.AdviceExceptionHandler;
import dev.grpcloop.boot.exception.HandlerInterceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcAdviceDiscoverer;
import org.springframework.grpc.server.advice.GrpcAdviceExceptionHandler;
import org.springframework.grpc.server.advice.GrpcExceptionHandlerMethodResolver;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.grpc.server.exception.GrpcExceptionHandlerInterceptor;
import org.springframework.grpc.server.exception.ReactiveStubBeanDefinitionRegistrar;

/**
 * The exception handlers of the application, where Spring Boot's own module does not see
 * to them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingSpringBootServer
class ExceptionHandlerConfiguration {

	@Bean
	@GlobalServerInterceptor
	@ConditionalOnMissingBean
	GrpcExceptionHandlerInterceptor grpcLoopExceptionHandlerInterceptor(ObjectProvider<GrpcExceptionHandler> handlers) {
		return new HandlerInterceptor(handlers.orderedStream().toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(annotation = GrpcAdvice.class)
	static class AdviceConfiguration {

		@Bean
		@ConditionalOnMissingBean
		GrpcAdviceDiscoverer grpcLoopAdviceDiscoverer(ApplicationContext context) {
			return new AdviceDiscoverer(context);
		}

		@Bean
		@ConditionalOnMissingBean
		GrpcExceptionHandlerMethodResolver grpcLoopExceptionHandlerMethodResolver(GrpcAdviceDiscoverer discoverer) {
			return new GrpcExceptionHandlerMethodResolver(discoverer);
		}

		@Bean
		@ConditionalOnMissingBean
		GrpcAdviceExceptionHandler grpcLoopAdviceExceptionHandler(GrpcExceptionHandlerMethodResolver resolver) {
			return new AdviceExceptionHandler(resolver);
		}

	}

	/** Stubs for Reactor and RxJava pass exceptions through a method of their own. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "com.salesforce.reactivegrpc.common.Function")
	@Import(ReactiveStubBeanDefinitionRegistrar.class)
	static class ReactiveStubConfiguration {

	}

}
