package dev.grpcloop.boot.service;

import java.util.List;
import java.util.stream.Collectors;

import io.grpc.ServerInterceptor;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The interceptors that a service lists in its {@code @GrpcService}.
 */
final class ListedInterceptors {

	private final BeanHierarchy beans;

	private final ServiceDetails service;

	ListedInterceptors(BeanHierarchy beans, ServiceDetails service) {
		this.beans = beans;
		this.service = service;
	}

	/**
	 * Finds the bean of a listed type. Of several, it is the one that Spring would
	 * inject: the primary one, or the one that is nearest to the context.
	 * @param type the type
	 * @return the bean
	 * @throws FailureAnalyzedException if there is none, or there are several
	 */
	NamedBean ofType(Class<? extends ServerInterceptor> type) {
		List<NamedBean> candidates = this.beans.candidates(type);
		if (candidates.size() == 1) {
			return candidates.get(0);
		}
		String listed = this.service.describe() + " lists the interceptor " + type.getName() + ", ";
		if (candidates.isEmpty()) {
			throw new FailureAnalyzedException(listed + "but there is no bean of this type.",
					"Make it a bean, for example with @Component, or remove it from the interceptors of @GrpcService.");
		}
		throw new FailureAnalyzedException(
				listed + "but there are several beans of this type: " + names(candidates) + ".",
				"Mark one of them @Primary, or list the one that is meant in interceptorNames of @GrpcService.");
	}

	/**
	 * Finds the bean of a listed name.
	 * @param name the name
	 * @return the bean
	 * @throws FailureAnalyzedException if there is none
	 */
	NamedBean named(String name) {
		NamedBean bean = this.beans.named(name);
		if (bean == null) {
			throw new FailureAnalyzedException(
					this.service.describe() + " lists the interceptor '" + name
							+ "', but there is no bean of this name.",
					"Correct the name in interceptorNames of @GrpcService. " + interceptorBeans());
		}
		return bean;
	}

	/**
	 * Returns a listed bean.
	 * @param bean the bean
	 * @return the interceptor
	 * @throws FailureAnalyzedException if it is none
	 */
	ServerInterceptor get(NamedBean bean) {
		Object made = bean.get();
		if (made instanceof ServerInterceptor interceptor) {
			return interceptor;
		}
		throw new FailureAnalyzedException(
				this.service.describe() + " lists the interceptor '" + bean.name() + "', but this bean ("
						+ made.getClass().getName() + ") is no io.grpc.ServerInterceptor.",
				"Correct the name in interceptorNames of @GrpcService. " + interceptorBeans());
	}

	private String interceptorBeans() {
		List<NamedBean> interceptors = this.beans.ofType(ServerInterceptor.class);
		return interceptors.isEmpty() ? "The application has no ServerInterceptor bean."
				: "The ServerInterceptor beans are: " + names(interceptors) + ".";
	}

	private static String names(List<NamedBean> beans) {
		return beans.stream().map((bean) -> "'" + bean.name() + "'").sorted().collect(Collectors.joining(", "));
	}

}
