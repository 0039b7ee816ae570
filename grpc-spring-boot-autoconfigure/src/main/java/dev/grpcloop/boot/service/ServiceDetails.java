package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.util.Map;

import io.grpc.BindableService;
import io.grpc.ServiceDescriptor;

/**
 * What is known of a service before its server is made.
 *
 * @param beanName the bean that serves it; its class where it is no bean
 * @param type the class of that bean, as its author wrote it: not the class of a proxy
 * @param service what the server asks to bind
 * @param descriptor the service's name and methods
 * @param methods full name of an RPC to the Java method that serves it, where one is
 * known
 */
public record ServiceDetails(String beanName, Class<?> type, BindableService service, ServiceDescriptor descriptor,
		Map<String, Method> methods) {

	/**
	 * Takes a copy of the methods.
	 */
	public ServiceDetails {
		methods = Map.copyOf(methods);
	}

	/**
	 * Returns how messages call the bean.
	 * @return its name and its class
	 */
	public String describe() {
		String typeName = this.type.getName();
		return this.beanName.equals(typeName) ? typeName : "'" + this.beanName + "' (" + typeName + ")";
	}

}
