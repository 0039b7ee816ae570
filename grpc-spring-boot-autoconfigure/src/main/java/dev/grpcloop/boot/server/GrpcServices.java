package dev.grpcloop.boot.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceDiscoverer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

/**
 * The services of the application, bound and intercepted.
 */
public final class GrpcServices {

	private final GrpcServiceDiscoverer discoverer;

	private final GrpcServiceConfigurer configurer;

	private final ListableBeanFactory beanFactory;

	private final List<BindableService> companions;

	/**
	 * The services that a discoverer finds, and others that go with them.
	 * @param discoverer finds them
	 * @param configurer puts the interceptors around them
	 * @param beanFactory knows their names
	 * @param companions served where there is a service of the application, and none of
	 * the same name
	 */
	public GrpcServices(GrpcServiceDiscoverer discoverer, GrpcServiceConfigurer configurer,
			ListableBeanFactory beanFactory, List<BindableService> companions) {
		this.companions = List.copyOf(companions);
		this.discoverer = discoverer;
		this.configurer = configurer;
		this.beanFactory = beanFactory;
	}

	/**
	 * Collects the services for a new server.
	 * @param serverFactory the factory that makes the server
	 * @param placement is told what the services say of where they run
	 * @return the services in the order of their beans
	 * @throws FailureAnalyzedException if two beans serve one service, or a bean is
	 * marked as a service and is none
	 */
	List<ServerServiceDefinition> collect(GrpcServerFactory serverFactory, MethodPlacement placement) {
		refuseWhatIsNoService();
		List<ServerServiceDefinition> definitions = new ArrayList<>();
		Map<String, BindableService> owners = new HashMap<>();
		for (GrpcServiceSpec spec : this.discoverer.findServices()) {
			ServerServiceDefinition definition = this.configurer.configure(spec, serverFactory);
			String name = definition.getServiceDescriptor().getName();
			BindableService owner = owners.putIfAbsent(name, spec.service());
			if (owner != null) {
				throw duplicate(name, owner, spec.service());
			}
			definitions.add(definition);
			placement.add(spec.service(), definition);
		}
		return definitions;
	}

	/**
	 * Collects the services that go with those of the application.
	 * @param serverFactory the factory that makes the server
	 * @param others what the server serves already
	 * @return the services; none where there is nothing that they could go with
	 */
	List<ServerServiceDefinition> companions(GrpcServerFactory serverFactory, List<ServerServiceDefinition> others) {
		if (others.isEmpty()) {
			return List.of();
		}
		Set<String> names = others.stream()
			.map((definition) -> definition.getServiceDescriptor().getName())
			.collect(Collectors.toSet());
		return this.companions.stream()
			.map((service) -> this.configurer.configure(new GrpcServiceSpec(service, null), serverFactory))
			.filter((definition) -> !names.contains(definition.getServiceDescriptor().getName()))
			.toList();
	}

	private void refuseWhatIsNoService() {
		this.beanFactory.getBeansWithAnnotation(GrpcService.class).forEach((name, bean) -> {
			if (!(bean instanceof BindableService)) {
				throw new FailureAnalyzedException("Bean '" + name + "' (" + bean.getClass().getName()
						+ ") is marked @GrpcService, but it is no io.grpc.BindableService: it would not be served.",
						"Extend the class that protoc-gen-grpc-java generates for the service, its name ends in "
								+ "ImplBase, or remove the annotation.");
			}
		});
	}

	private FailureAnalyzedException duplicate(String service, BindableService first, BindableService second) {
		return new FailureAnalyzedException("Two beans serve the gRPC service " + service + ": " + describe(first)
				+ " and " + describe(second) + ".", "Remove one of the two beans: a server answers each service once.");
	}

	private String describe(BindableService service) {
		String type = service.getClass().getName();
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beanFactory, BindableService.class)
			.entrySet()
			.stream()
			.filter((bean) -> bean.getValue() == service)
			.map((bean) -> "'" + bean.getKey() + "' (" + type + ")")
			.findFirst()
			.orElse(type);
	}

}
