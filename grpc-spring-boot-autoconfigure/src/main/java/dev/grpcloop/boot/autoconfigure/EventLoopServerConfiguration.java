package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.grpcloop.boot.GrpcEventLoopProvider;
import dev.grpcloop.boot.GrpcServerExecutorProvider;
import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnFactoryEnabled;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.server.CompanionServices;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.server.GrpcServices;
import dev.grpcloop.boot.server.ServerHealth;
import dev.grpcloop.boot.server.ShutdownTimes;
import dev.grpcloop.boot.service.ServiceBeans;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * The server, unless the application brings a factory of network servers of its own.
 */
@Configuration(proxyBeanMethods = false)
class EventLoopServerConfiguration {

	@Bean
	@ConditionalOnMissingBean
	GrpcServices grpcLoopServices(GrpcServiceDiscoverer discoverer, GrpcServiceConfigurer configurer,
			ServiceBeans beans, ObjectProvider<CompanionServices> companions) {
		return new GrpcServices(discoverer, configurer, beans, companions.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	CallExecutorFactory grpcLoopCallExecutorFactory(GrpcServerProperties properties, Environment environment,
			ObjectProvider<GrpcServerExecutorProvider> provided) {
		ExecutorProperties executor = properties.getExecutor();
		CallExecutorFactory factory = new CallExecutorFactory(executor.getMode(),
				AllowedValues.atLeast("grpc.server.executor.max-threads", executor.getMaxThreads(), 1),
				AllowedValues.atLeast("grpc.server.executor.queue-capacity", executor.getQueueCapacity(), 0),
				environment);
		GrpcServerExecutorProvider provider = provided.getIfAvailable();
		if (provider == null) {
			return factory;
		}
		ProvidedInstead.refuseExecutorProperties(environment);
		return factory.providedBy(provider);
	}

	@Bean
	@Conditional({ OnFactoryEnabled.class, OnServiceCondition.class })
	@ConditionalOnMissingBean(value = GrpcServerFactory.class,
			type = "org.springframework.boot.grpc.server.GrpcServletRegistration",
			ignoredType = "org.springframework.grpc.server.InProcessGrpcServerFactory")
	EventLoopGrpcServerFactory grpcLoopServerFactory(GrpcServerProperties properties, Environment environment,
			CallExecutorFactory executors, GrpcServices services, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<GrpcEventLoopProvider> eventLoops,
			ObjectProvider<ServerServiceDefinitionFilter> serviceFilters,
			ObjectProvider<ServerInterceptorFilter> interceptorFilters, ObjectProvider<ServerFactoryHook> hooks) {
		PlaintextOverTcp.check(environment, properties.mode());
		eventLoops.ifAvailable((provider) -> ProvidedInstead.refuseLoopProperties(environment));
		EventLoopGrpcServerFactory factory = new EventLoopGrpcServerFactory(ListenAddress.of(properties),
				properties.mode(), executors, services,
				List.of(PropertiesServerBuilderCustomizer.of(properties), ConnectionLifeCustomizer.of(properties),
						AbuseLimitsCustomizer.of(properties.getGuard()), new BeansServerBuilderCustomizer(beanFactory),
						new ApplicationBuilderCustomizers<>(beanFactory)));
		FactoryFilters.apply(factory, serviceFilters, interceptorFilters);
		hooks.orderedStream().forEach((hook) -> hook.apply(factory));
		return factory;
	}

	@Bean
	@ConditionalOnBean(EventLoopGrpcServerFactory.class)
	@ConditionalOnMissingBean
	EventLoopGrpcServerLifecycle grpcLoopServerLifecycle(EventLoopGrpcServerFactory factory,
			GrpcServerProperties properties, ObjectProvider<LifecycleProperties> contextLifecycle,
			ObjectProvider<ServerHealth> health, ApplicationContext context) {
		LifecycleProperties phases = contextLifecycle.getIfAvailable();
		ShutdownProperties shutdown = properties.getShutdown();
		Duration drainDelay = AllowedValues.zeroOrMore("grpc.server.shutdown.drain-delay", shutdown.getDrainDelay());
		return new EventLoopGrpcServerLifecycle(factory,
				new ShutdownTimes(drainDelay, shutdown.getGracePeriod(),
						(phases != null) ? phases.getTimeoutPerShutdownPhase() : null),
				health.getIfAvailable(() -> ServerHealth.NONE), context);
	}

}
