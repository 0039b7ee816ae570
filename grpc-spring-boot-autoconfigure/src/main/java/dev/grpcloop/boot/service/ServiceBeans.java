package dev.grpcloop.boot.service;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.grpc.BindableService;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.GrpcServiceInfo;

/**
 * The services among the beans of a context and its ancestors. A bean that is made anew
 * for each who asks is made once: it serves every server of the context.
 */
public final class ServiceBeans {

	private final BeanHierarchy beans;

	private final Map<NamedBean, BindableService> manyTimesMade = new HashMap<>();

	private final Map<BindableService, BoundService> bound = new IdentityHashMap<>();

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
	 * @throws FailureAnalyzedException if a bean is marked as a service and is none
	 */
	synchronized List<BoundService> find() {
		Map<Object, NamedBean> names = new IdentityHashMap<>();
		List<BindableService> services = new ArrayList<>();
		for (NamedBean bean : this.beans.ofType(BindableService.class)) {
			BindableService service = get(bean);
			if (service != null && names.put(service, bean) == null) {
				services.add(service);
			}
		}
		services.sort(BeanHierarchy.order(names));
		Map<BindableService, BoundService> found = new IdentityHashMap<>();
		for (BindableService service : services) {
			BoundService known = this.bound.get(service);
			found.put(service, (known != null) ? known : bind(names.get(service), service));
		}
		this.bound.clear();
		this.bound.putAll(found);
		List<BoundService> ordered = services.stream().map(found::get).toList();
		refuseWhatIsNoService(ordered);
		return ordered;
	}

	/**
	 * Binds a service that need not be a bean.
	 * @param service the service
	 * @return what is known of it
	 */
	synchronized BoundService bound(BindableService service) {
		BoundService known = this.bound.get(service);
		if (known == null) {
			find();
			known = this.bound.get(service);
		}
		return (known != null) ? known : bind(null, service);
	}

	/**
	 * Returns what is known of a service.
	 * @param service a bean, or any other service
	 * @return its details
	 */
	public ServiceDetails detailsOf(BindableService service) {
		return bound(service).details();
	}

	private @Nullable BindableService get(NamedBean bean) {
		BindableService known = this.manyTimesMade.get(bean);
		if (known != null) {
			return known;
		}
		Object made = bean.get();
		if (!(made instanceof BindableService service)) {
			return null;
		}
		if (!bean.factory().isSingleton(bean.name())) {
			this.manyTimesMade.put(bean, service);
		}
		return service;
	}

	private BoundService bind(@Nullable NamedBean bean, BindableService service) {
		if (bean == null) {
			return BoundService.of(service.getClass().getName(), service, null);
		}
		GrpcService annotation = bean.findAnnotation(GrpcService.class);
		if (annotation == null && service instanceof ServiceBean substitute) {
			NamedBean original = this.beans.named(substitute.beanName());
			annotation = (original != null) ? original.findAnnotation(GrpcService.class) : null;
		}
		return BoundService.of(bean.name(), service, GrpcServiceInfo.from(annotation));
	}

	private void refuseWhatIsNoService(List<BoundService> services) {
		Set<String> names = new HashSet<>();
		services.forEach((service) -> names.add(service.details().beanName()));
		for (NamedBean bean : this.beans.annotatedWith(GrpcService.class)) {
			if (!names.contains(bean.name())) {
				Class<?> type = bean.type();
				throw new FailureAnalyzedException("Bean '" + bean.name() + "' ("
						+ ((type != null) ? type.getName() : "of unknown type")
						+ ") is marked @GrpcService, but it is no io.grpc.BindableService: it would not be served.",
						"Extend the class that protoc-gen-grpc-java generates for the service, its name ends in "
								+ "ImplBase, or remove the annotation.");
			}
		}
	}

}
