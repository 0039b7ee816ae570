package dev.grpcloop.boot.service;

import java.util.List;

import io.grpc.BindableService;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

/**
 * Discovers the {@link BindableService} beans of a context and its ancestors, each with
 * what its {@code @GrpcService} says.
 */
public final class ContextGrpcServiceDiscoverer implements GrpcServiceDiscoverer {

	private final ServiceBeans services;

	/**
	 * A discoverer of a context's services.
	 * @param services the services
	 */
	public ContextGrpcServiceDiscoverer(ServiceBeans services) {
		this.services = services;
	}

	/**
	 * Finds the services.
	 * @return the services in the order of their beans
	 * @throws FailureAnalyzedException if a bean is marked as a service and is none
	 */
	@Override
	public List<GrpcServiceSpec> findServices() {
		return this.services.find()
			.stream()
			.map((service) -> new GrpcServiceSpec(service.details().service(), service.info()))
			.toList();
	}

	@Override
	public List<String> listServiceNames() {
		return this.services.find().stream().map((service) -> service.details().descriptor().getName()).toList();
	}

}
