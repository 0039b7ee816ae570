package dev.grpcloop.boot.service;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.GrpcServiceInfo;

/**
 * The interceptor beans around one service on one server, outermost first. No bean is in
 * it twice.
 */
final class InterceptorChain {

	private final BeanHierarchy beans;

	private final BoundService service;

	private final List<ServerInterceptor> interceptors = new ArrayList<>();

	private final Set<NamedBean> chosen = new HashSet<>();

	private final Map<Object, NamedBean> names = new IdentityHashMap<>();

	InterceptorChain(BeanHierarchy beans, BoundService service) {
		this.beans = beans;
		this.service = service;
	}

	/**
	 * Adds the global interceptors, in their order.
	 * @param serverFactory decides which of them the service takes; {@code null} takes
	 * all
	 */
	void addGlobal(@Nullable GrpcServerFactory serverFactory) {
		for (NamedBean bean : this.beans.ofType(ServerInterceptor.class)) {
			if (bean.findAnnotation(GlobalServerInterceptor.class) != null
					&& bean.get() instanceof ServerInterceptor interceptor
					&& (serverFactory == null || serverFactory.supports(interceptor, this.service.definition()))) {
				add(bean, interceptor);
			}
		}
		sort();
	}

	/**
	 * Adds the interceptors that the service lists: those by type, then those by name, as
	 * they are listed.
	 * @param info the lists, and whether all interceptors are to be in order
	 * @throws FailureAnalyzedException if one of them is not there
	 */
	void addListed(GrpcServiceInfo info) {
		ListedInterceptors listed = new ListedInterceptors(this.beans, this.service.details());
		for (Class<? extends ServerInterceptor> type : info.interceptors()) {
			NamedBean bean = listed.ofType(type);
			add(bean, listed.get(bean));
		}
		for (String name : info.interceptorNames()) {
			NamedBean bean = listed.named(name);
			add(bean, listed.get(bean));
		}
		if (info.blendWithGlobalInterceptors()) {
			sort();
		}
	}

	private void add(NamedBean bean, ServerInterceptor interceptor) {
		if (this.chosen.add(bean) && this.names.putIfAbsent(interceptor, bean) == null) {
			this.interceptors.add(interceptor);
		}
	}

	private void sort() {
		this.interceptors.sort(BeanHierarchy.order(this.names));
	}

	/**
	 * Returns the interceptors.
	 * @return the interceptors, outermost first
	 */
	List<ServerInterceptor> interceptors() {
		return List.copyOf(this.interceptors);
	}

}
