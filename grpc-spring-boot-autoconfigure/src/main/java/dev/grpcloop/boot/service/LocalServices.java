package dev.grpcloop.boot.service;

import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.boot.GrpcController;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The services that one context declares itself.
 */
public final class LocalServices {

	private LocalServices() {
	}

	/**
	 * Finds the services of the application, and makes none of them.
	 * @param beanFactory the context's; its ancestors are not asked
	 * @return the names of the beans
	 */
	public static List<String> names(ConfigurableListableBeanFactory beanFactory) {
		return Stream
			.of(beanFactory.getBeanNamesForType(BindableService.class, true, false),
					beanFactory.getBeanNamesForType(ServerServiceDefinition.class, true, false),
					beanFactory.getBeanNamesForAnnotation(GrpcController.class))
			.flatMap(Stream::of)
			.distinct()
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.filter((name) -> isOfApplication(new NamedBean(name, beanFactory)))
			.toList();
	}

	/** What stands for another bean may stand for one of an ancestor. */
	private static boolean isOfApplication(NamedBean bean) {
		Class<?> type = bean.type();
		return !bean.isAutoConfigured() && (type == null || !ServiceBean.class.isAssignableFrom(type));
	}

}
