package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

import io.grpc.BindableService;

/**
 * A service that stands for a bean which is no {@link BindableService} itself, such as a
 * bean of plain methods. What concerns the service is then asked of that bean: its name
 * in messages, its annotations, its methods.
 */
public interface ServiceBean extends BindableService {

	/**
	 * Returns the name of the bean that this one stands for.
	 * @return the bean's name
	 */
	String beanName();

	/**
	 * Returns the class of that bean, as its author wrote it: not the class of a proxy.
	 * @return the bean's class
	 */
	Class<?> beanType();

	/**
	 * Returns the Java methods that serve calls.
	 * @return full name of the RPC, such as {@code helloworld.v1.Greeter/Hello}, to
	 * method; without an entry for an RPC that no method is known to serve
	 */
	Map<String, Method> methods();

	/**
	 * Returns which of them wait for requests of the call that they serve. On an event
	 * loop, which brings the requests, they would wait in vain.
	 * @return full names of RPCs
	 */
	default Set<String> waitingMethods() {
		return Set.of();
	}

}
