package dev.grpcloop.boot.autoconfigure;

import java.util.List;
import java.util.Objects;

import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.server.GrpcServices;
import dev.grpcloop.boot.server.InProcessServerFactory;
import dev.grpcloop.boot.server.InProcessServerLifecycle;
import io.grpc.inprocess.InProcessServerBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * A server for clients in the same Java virtual machine, where it has a name. Spring
 * Boot's own module makes one itself.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingSpringBootServer
@ConditionalOnProperty("grpc.server.inprocess.name")
class InProcessServerConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(InProcessServerBuilder.class)
	static class ServerConfiguration {

		@Bean
		@ConditionalOnMissingBean(InProcessGrpcServerFactory.class)
		InProcessServerFactory grpcLoopInProcessServerFactory(GrpcServerProperties properties,
				CallExecutorFactory executors, GrpcServices services, ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<ServerServiceDefinitionFilter> serviceFilters,
				ObjectProvider<ServerInterceptorFilter> interceptorFilters) {
			PropertiesServerBuilderCustomizer checked = PropertiesServerBuilderCustomizer.of(properties);
			InProcessServerFactory factory = new InProcessServerFactory(
					Objects.requireNonNull(properties.getInprocess().getName()), executors, services,
					List.of((builder) -> builder.maxInboundMetadataSize(checked.maxMetadataSize()),
							(builder) -> BeansServerBuilderCustomizer.customizeAny(builder, beanFactory),
							new ApplicationBuilderCustomizers<>(beanFactory)));
			FactoryFilters.apply(factory, serviceFilters, interceptorFilters);
			return factory;
		}

		@Bean
		@ConditionalOnBean(InProcessServerFactory.class)
		@ConditionalOnMissingBean
		InProcessServerLifecycle grpcLoopInProcessServerLifecycle(InProcessServerFactory factory,
				GrpcServerProperties properties, ApplicationContext context) {
			return new InProcessServerLifecycle(factory, properties.getShutdown().getGracePeriod(), context);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("io.grpc.inprocess.InProcessServerBuilder")
	static class MissingConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "grpcLoopInProcessServerCheck")
		SmartInitializingSingleton grpcLoopInProcessServerCheck(GrpcServerProperties properties) {
			return () -> {
				throw new FailureAnalyzedException(
						"grpc.server.inprocess.name is '" + properties.getInprocess().getName()
								+ "', but grpc-inprocess is not on the class path.",
						"Add the dependency io.grpc:grpc-inprocess, or remove the property.");
			};
		}

	}

}
