package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;
import java.util.function.Predicate;

import dev.grpcloop.boot.server.GrpcServices;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;

/**
 * The services of the application under test, bound and intercepted as for the server
 * that the application has: ours, Spring Boot's where ours is switched off, or none.
 */
final class TestedServices {

	private final BeanFactory beans;

	TestedServices(BeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Collects the services for a new server.
	 * @param serverFactory the factory that makes the server
	 * @param filter the services that it takes
	 * @return the services
	 */
	List<ServerServiceDefinition> collect(GrpcServerFactory serverFactory, Predicate<ServerServiceDefinition> filter) {
		GrpcServices ours = bean(GrpcServices.class);
		if (ours != null) {
			return ours.collect(serverFactory, filter);
		}
		GrpcServiceDiscoverer discoverer = bean(GrpcServiceDiscoverer.class);
		GrpcServiceConfigurer configurer = bean(GrpcServiceConfigurer.class);
		if (discoverer == null || configurer == null) {
			return List.of();
		}
		return discoverer.findServices()
			.stream()
			.map((spec) -> configurer.configure(spec, serverFactory))
			.filter(filter)
			.toList();
	}

	private <B> @Nullable B bean(Class<B> type) {
		return this.beans.getBeanProvider(type).getIfAvailable();
	}

}
