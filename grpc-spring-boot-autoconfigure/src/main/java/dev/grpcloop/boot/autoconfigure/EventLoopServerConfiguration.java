package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.grpcloop.boot.autoconfigure.BooleanPropertyCondition.OnFactoryEnabled;
import dev.grpcloop.boot.executor.CallExecutorFactory;
import dev.grpcloop.boot.server.CompanionServices;
import dev.grpcloop.boot.server.EventLoopGrpcServerFactory;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.server.GrpcServices;
import dev.grpcloop.boot.server.ServerHealth;
import dev.grpcloop.boot.server.ShutdownTimes;
import dev.grpcloop.boot.service.ServiceBeans;
import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.telemetry.EngineTelemetry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
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
	CallExecutorFactory grpcLoopCallExecutorFactory(GrpcServerProperties properties, Environment environment) {
		ExecutorProperties executor = properties.getExecutor();
		return new CallExecutorFactory(executor.getMode(),
				AllowedValues.atLeast("grpc.server.executor.max-threads", executor.getMaxThreads(), 1),
				AllowedValues.atLeast("grpc.server.executor.queue-capacity", executor.getQueueCapacity(), 0),
				environment);
	}

	@Bean
	@Conditional({ OnFactoryEnabled.class, OnServiceCondition.class })
	@ConditionalOnMissingBean(value = GrpcServerFactory.class,
			type = "org.springframework.boot.grpc.server.GrpcServletRegistration",
			ignoredType = "org.springframework.grpc.server.InProcessGrpcServerFactory")
	EventLoopGrpcServerFactory grpcLoopServerFactory(GrpcServerProperties properties, Environment environment,
			CallExecutorFactory executors, GrpcServices services, ObjectProvider<EngineTelemetry> telemetry,
			ObjectProvider<ServerBuilderCustomizer<?>> customizers,
			ObjectProvider<ServerServiceDefinitionFilter> serviceFilters,
			ObjectProvider<ServerInterceptorFilter> interceptorFilters, ObjectProvider<ServerFactoryHook> hooks) {
		PlaintextOverTcp.check(environment, properties.mode());
		ServerBuilderCustomizer<EventLoopServerBuilder> numbers = (builder) -> telemetry
			.ifAvailable(builder::telemetry);
		List<ServerBuilderCustomizer<?>> own = customizers.orderedStream().toList();
		EventLoopGrpcServerFactory factory = new EventLoopGrpcServerFactory(ListenAddress.of(properties),
				properties.mode(), executors, services,
				List.of(PropertiesServerBuilderCustomizer.of(properties), ConnectionLifeCustomizer.of(properties),
						AbuseLimitsCustomizer.of(properties.getGuard()), numbers,
						(builder) -> customize(builder, own)));
		List<ServerServiceDefinitionFilter> ofServices = serviceFilters.orderedStream().toList();
		factory.setServiceFilter(
				(service, server) -> ofServices.stream().allMatch((filter) -> filter.filter(service, server)));
		List<ServerInterceptorFilter> ofInterceptors = interceptorFilters.orderedStream().toList();
		factory.setInterceptorFilter((interceptor, service) -> ofInterceptors.stream()
			.allMatch((filter) -> filter.filter(interceptor, service)));
		hooks.orderedStream().forEach((hook) -> hook.apply(factory));
		return factory;
	}

	/** Leaves out the customizers of other servers' builders. */
	@SuppressWarnings("unchecked")
	private static void customize(EventLoopServerBuilder builder, List<ServerBuilderCustomizer<?>> customizers) {
		LambdaSafe.callbacks(ServerBuilderCustomizer.class, customizers, builder)
			.withLogger(EventLoopGrpcServerFactory.class)
			.invoke((customizer) -> customizer.customize(builder));
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
