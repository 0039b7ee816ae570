package dev.grpcloop.boot.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.grpcloop.boot.service.ServiceBeans;
import dev.grpcloop.boot.service.ServiceDetails;
import dev.grpcloop.boot.service.ServiceOwners;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

/**
 * The services of the application, bound and intercepted.
 */
public final class GrpcServices {

	private final GrpcServiceDiscoverer discoverer;

	private final GrpcServiceConfigurer configurer;

	private final ServiceBeans beans;

	private final List<CompanionServices> companions;

	/**
	 * The services that a discoverer finds, and others that go with them.
	 * @param discoverer finds them
	 * @param configurer puts the interceptors around them
	 * @param beans know their names
	 * @param companions served beside them
	 */
	public GrpcServices(GrpcServiceDiscoverer discoverer, GrpcServiceConfigurer configurer, ServiceBeans beans,
			List<CompanionServices> companions) {
		this.companions = List.copyOf(companions);
		this.discoverer = discoverer;
		this.configurer = configurer;
		this.beans = beans;
	}

	/**
	 * Collects the services for a new server of another kind, and those that go with
	 * them. Where their methods run is left to that server.
	 * @param serverFactory the factory that makes the server
	 * @param filter the services that it takes
	 * @return the services
	 * @throws FailureAnalyzedException if two beans serve one service, or a bean is
	 * marked as a service and is none
	 */
	public List<ServerServiceDefinition> collect(GrpcServerFactory serverFactory,
			Predicate<ServerServiceDefinition> filter) {
		List<ServerServiceDefinition> definitions = collect(serverFactory, filter, new MethodPlacement(false));
		definitions.addAll(companions(serverFactory, filter, definitions));
		return definitions;
	}

	/**
	 * Collects the services for a new server.
	 * @param serverFactory the factory that makes the server
	 * @param filter the services that it takes
	 * @param placement is told what the services say of where they run
	 * @return the services in the order of their beans
	 * @throws FailureAnalyzedException if two beans serve one service, or a bean is
	 * marked as a service and is none
	 */
	List<ServerServiceDefinition> collect(GrpcServerFactory serverFactory, Predicate<ServerServiceDefinition> filter,
			MethodPlacement placement) {
		List<ServerServiceDefinition> definitions = new ArrayList<>();
		ServiceOwners owners = new ServiceOwners();
		for (GrpcServiceSpec spec : this.discoverer.findServices()) {
			ServerServiceDefinition definition = this.configurer.configure(spec, serverFactory);
			if (filter.test(definition)) {
				ServiceDetails details = this.beans.detailsOf(spec.service());
				owners.add(details);
				placement.add(details);
				definitions.add(definition);
			}
		}
		return definitions;
	}

	/**
	 * Collects the services that go with those of the application.
	 * @param serverFactory the factory that makes the server
	 * @param filter the services that it takes
	 * @param others what the server serves already
	 * @return those whose names are free
	 */
	List<ServerServiceDefinition> companions(GrpcServerFactory serverFactory, Predicate<ServerServiceDefinition> filter,
			List<ServerServiceDefinition> others) {
		Set<String> names = others.stream()
			.map((definition) -> definition.getServiceDescriptor().getName())
			.collect(Collectors.toSet());
		return this.companions.stream()
			.filter((companion) -> !others.isEmpty() || companion.areServedAlone())
			.flatMap((companion) -> companion.services().stream())
			.map((service) -> this.configurer.configure(new GrpcServiceSpec(service, null), serverFactory))
			.filter((definition) -> !names.contains(definition.getServiceDescriptor().getName()))
			.filter(filter)
			.toList();
	}

}
