package dev.grpcloop.boot.test.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessServerBuilder;

import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * Makes servers within the process, each with the services that the application has at
 * that moment.
 */
final class TestGrpcServerFactory extends InProcessGrpcServerFactory {

	private final TestedServices services;

	private final List<ServerServiceDefinitionFilter> serviceFilters;

	/**
	 * A factory of servers with one name.
	 * @param name where clients find the servers; no other server of this JVM may have it
	 * @param services collects the services of the application
	 * @param serviceFilters all must accept a service
	 * @param interceptorFilters all must accept a global interceptor for a service
	 * @param customizer changes the builder of each server
	 */
	TestGrpcServerFactory(String name, TestedServices services, List<ServerServiceDefinitionFilter> serviceFilters,
			List<ServerInterceptorFilter> interceptorFilters,
			ServerBuilderCustomizer<InProcessServerBuilder> customizer) {
		super(name, List.of(customizer));
		this.services = services;
		this.serviceFilters = serviceFilters;
		setServiceFilter(this::isServed);
		setInterceptorFilter((interceptor, service) -> interceptorFilters.stream()
			.allMatch((filter) -> filter.filter(interceptor, service)));
	}

	private boolean isServed(ServerServiceDefinition service, GrpcServerFactory factory) {
		return this.serviceFilters.stream().allMatch((filter) -> filter.filter(service, factory));
	}

	/**
	 * Returns where clients find the servers.
	 * @return the name
	 */
	String name() {
		return address();
	}

	@Override
	protected void configureServices(InProcessServerBuilder builder, List<ServerServiceDefinition> added) {
		List<ServerServiceDefinition> found = this.services.collect(this, (service) -> isServed(service, this));
		super.configureServices(builder, Stream.concat(added.stream(), found.stream()).toList());
	}

}
