package dev.grpcloop.boot.service;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.GrpcServiceInfo;

/**
 * The services among the beans of a context and its ancestors. A bean that is made anew
 * for each who asks is made once: it serves every server of the context. No lock is held
 * while beans are made.
 */
public final class ServiceBeans {

	private final BeanHierarchy beans;

	private final Map<NamedBean, BindableService> madeOnce = new ConcurrentHashMap<>();

	/** Those found last; {@code null} before anybody has looked. */
	private volatile @Nullable Map<BindableService, BoundService> bound;

	/**
	 * The services that a context sees.
	 * @param beanFactory the context's
	 */
	public ServiceBeans(BeanFactory beanFactory) {
		this.beans = new BeanHierarchy(beanFactory);
	}

	/**
	 * Returns the beans among which the services are.
	 * @return the beans
	 */
	BeanHierarchy beans() {
		return this.beans;
	}

	/**
	 * Finds the services in their order.
	 * @return the services that are there at this moment
	 * @throws FailureAnalyzedException if a bean is marked as a service and is none, or
	 * calls would go past the advice of one
	 */
	List<BoundService> find() {
		Map<Object, NamedBean> names = new IdentityHashMap<>();
		List<BindableService> services = new ArrayList<>();
		collect().forEach((bean, service) -> {
			if (names.putIfAbsent(service, bean) == null) {
				services.add(service);
			}
		});
		services.sort(BeanHierarchy.order(names));
		Map<BindableService, BoundService> before = this.bound;
		Map<BindableService, BoundService> now = new IdentityHashMap<>();
		List<BoundService> found = new ArrayList<>();
		for (BindableService service : services) {
			BoundService known = (before != null) ? before.get(service) : null;
			BoundService next = (known != null) ? known : bind(names.get(service), service);
			now.put(service, next);
			found.add(next);
		}
		this.bound = now;
		return withoutReplaced(found, names);
	}

	/** A service that comes with the server gives way to one of the application. */
	private static List<BoundService> withoutReplaced(List<BoundService> services, Map<Object, NamedBean> names) {
		Set<String> ofApplication = new HashSet<>();
		Set<BoundService> autoConfigured = Collections.newSetFromMap(new IdentityHashMap<>());
		for (BoundService service : services) {
			if (names.get(service.details().service()).isAutoConfigured()) {
				autoConfigured.add(service);
			}
			else {
				ofApplication.add(service.serviceName());
			}
		}
		return services.stream()
			.filter((service) -> !autoConfigured.contains(service) || !ofApplication.contains(service.serviceName()))
			.toList();
	}

	/**
	 * Binds a service that need not be a bean.
	 * @param service the service
	 * @return what is known of it
	 */
	BoundService bound(BindableService service) {
		Map<BindableService, BoundService> found = this.bound;
		if (found == null) {
			find();
			found = this.bound;
		}
		BoundService known = (found != null) ? found.get(service) : null;
		return (known != null) ? known : BoundService.of(service.getClass().getName(), service, null);
	}

	/**
	 * Returns what is known of a service.
	 * @param service a bean, or any other service
	 * @return its details
	 */
	public ServiceDetails detailsOf(BindableService service) {
		return bound(service).details();
	}

	private Map<NamedBean, BindableService> collect() {
		Map<NamedBean, BindableService> services = new LinkedHashMap<>();
		Set<String> names = new HashSet<>();
		for (NamedBean bean : this.beans.ofType(BindableService.class)) {
			BindableService service = service(bean);
			if (service != null) {
				services.put(bean, service);
				names.add((service instanceof ServiceBean substitute) ? substitute.beanName() : bean.name());
			}
		}
		for (NamedBean bean : this.beans.ofType(ServerServiceDefinition.class)) {
			if (names.add(bean.name())) {
				services.put(bean, this.madeOnce.computeIfAbsent(bean,
						(definition) -> new ServiceDefinitionBean(definition.name(), definition.factory())));
			}
		}
		for (NamedBean bean : this.beans.annotatedWith(GrpcService.class)) {
			if (names.add(bean.name())) {
				services.put(bean, undeclaredService(bean));
			}
		}
		return services;
	}

	private @Nullable BindableService service(NamedBean bean) {
		BindableService known = this.madeOnce.get(bean);
		if (known != null) {
			return known;
		}
		BindableService service = (bean.get() instanceof BindableService made) ? made : null;
		if (service == null || bean.isSingleton()) {
			return service;
		}
		BindableService first = this.madeOnce.putIfAbsent(bean, service);
		return (first != null) ? first : service;
	}

	/**
	 * A method may return a service though it does not declare to. What cannot be one is
	 * not made to see.
	 */
	private BindableService undeclaredService(NamedBean bean) {
		BindableService service = bean.isTypeCertain() ? null : service(bean);
		if (service == null) {
			Class<?> type = bean.type();
			throw new FailureAnalyzedException(
					"Bean '" + bean.name() + "' (" + ((type != null) ? type.getName() : "of unknown type")
							+ ") is marked @GrpcService, but it is no io.grpc.BindableService: it would not be served.",
					"Extend the class that protoc-gen-grpc-java generates for the service, its name ends in "
							+ "ImplBase, or remove the annotation.");
		}
		return service;
	}

	private BoundService bind(NamedBean bean, BindableService service) {
		GrpcService annotation = bean.findAnnotation(GrpcService.class);
		if (annotation == null && service instanceof ServiceBean substitute) {
			NamedBean original = this.beans.named(substitute.beanName());
			annotation = (original != null) ? original.findAnnotation(GrpcService.class) : null;
		}
		return BoundService.of(bean.name(), service, GrpcServiceInfo.from(annotation));
	}

}
