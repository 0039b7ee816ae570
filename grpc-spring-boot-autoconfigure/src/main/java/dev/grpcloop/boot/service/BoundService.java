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

	/**
	 * Binds a service.
	 * @param name the name of its bean
	 * @param service the service
	 * @param info what it says of its interceptors, if anything
	 * @return the service and its methods
	 */
	static BoundService of(String name, BindableService service, @Nullable GrpcServiceInfo info) {
		if (service instanceof ServiceBean substitute) {
			ServerServiceDefinition definition = substitute.bindService();
			return new BoundService(new ServiceDetails(substitute.beanName(), substitute.beanType(), service,
					definition.getServiceDescriptor(), substitute.methods()), definition, info);
		}
		Class<?> type = AopProxyUtils.ultimateTargetClass(service);
		ServerServiceDefinition definition = new ServiceBinder(name, service, type).bind();
		return new BoundService(new ServiceDetails(name, type, service, definition.getServiceDescriptor(),
				ServiceMethods.of(type, definition.getServiceDescriptor())), definition, info);
	}

	/**
	 * Returns the name of the service.
	 * @return the name, such as {@code helloworld.v1.Greeter}
	 */
	String serviceName() {
		return this.definition.getServiceDescriptor().getName();
	}

}
