package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.grpc.server.DefaultGrpcServerFactory;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * The filters of the application, all of which must accept a service or a global
 * interceptor of it.
 */
final class FactoryFilters {

	private FactoryFilters() {
	}

	static void apply(DefaultGrpcServerFactory<?> factory, ObjectProvider<ServerServiceDefinitionFilter> serviceFilters,
			ObjectProvider<ServerInterceptorFilter> interceptorFilters) {
		List<ServerServiceDefinitionFilter> ofServices = serviceFilters.orderedStream().toList();
		factory.setServiceFilter(
				(service, server) -> ofServices.stream().allMatch((filter) -> filter.filter(service, server)));
		List<ServerInterceptorFilter> ofInterceptors = interceptorFilters.orderedStream().toList();
		factory.setInterceptorFilter((interceptor, service) -> ofInterceptors.stream()
			.allMatch((filter) -> filter.filter(interceptor, service)));
	}

}
