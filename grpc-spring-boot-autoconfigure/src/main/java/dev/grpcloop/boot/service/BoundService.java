package dev.grpcloop.boot.service;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.grpc.server.service.GrpcServiceInfo;

/**
 * A service and its methods.
 *
 * @param details what is known of it
 * @param definition its methods, without interceptors
 * @param info what it says of its interceptors, if anything
 */
record BoundService(ServiceDetails details, ServerServiceDefinition definition, @Nullable GrpcServiceInfo info) {

	static BoundService of(String name, BindableService service, @Nullable GrpcServiceInfo info) {
		ServerServiceDefinition definition = service.bindService();
		return new BoundService(detailsOf(name, service, definition), definition, info);
	}

	private static ServiceDetails detailsOf(String name, BindableService service, ServerServiceDefinition definition) {
		if (service instanceof ServiceBean substitute) {
			return new ServiceDetails(substitute.beanName(), substitute.beanType(), service,
					definition.getServiceDescriptor(), substitute.methods());
		}
		Class<?> type = AopProxyUtils.ultimateTargetClass(service);
		return new ServiceDetails(name, type, service, definition.getServiceDescriptor(),
				ServiceMethods.of(type, definition.getServiceDescriptor()));
	}

}
