package dev.grpcloop.boot.service;

import java.util.List;

import io.grpc.BindableService;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

/**
 * Discovers the {@link BindableService} beans of a context and its ancestors, each with
 * what its {@code @GrpcService} says.
 */
public final class ContextGrpcServiceDiscoverer implements GrpcServiceDiscoverer {

	private final ServiceBeans services;

	private final ObjectProvider<ServerServiceDefinitionFilter> filters;

	/**
	 * A discoverer of a context's services.
	 * @param services the services
	 * @param filters where there are any, two beans may serve one service, as long as no
	 * server gets both
	 */
	public ContextGrpcServiceDiscoverer(ServiceBeans services, ObjectProvider<ServerServiceDefinitionFilter> filters) {
		this.services = services;
		this.filters = filters;
	}

	/**
	 * Finds the services.
	 * @return the services in the order of their beans
	 * @throws FailureAnalyzedException if two beans serve one service, a bean is marked
	 * as a service and is none, or calls would go past the advice of a bean
	 */
	@Override
	public List<GrpcServiceSpec> findServices() {
		return find().stream()
			.map((service) -> new GrpcServiceSpec(service.details().service(), service.info()))
			.toList();
	}

	@Override
	public List<String> listServiceNames() {
		return find().stream().map(BoundService::serviceName).distinct().toList();
	}

	private List<BoundService> find() {
		List<BoundService> found = this.services.find();
		if (this.filters.stream().findAny().isEmpty()) {
			ServiceOwners owners = new ServiceOwners();
			found.forEach((service) -> owners.add(service.details()));
		}
		return found;
	}

}
