package dev.grpcloop.boot.controller;

import io.grpc.Context;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What is bound to the threads of calls: the {@link Context} of gRPC, and what there is
 * of the observation and the security context. Micrometer's context propagation knows of
 * both, and of what else the application has registered with it; without it they are
 * taken one by one.
 */
final class CallerContexts {

	private CallerContexts() {
	}

	/**
	 * Finds what there is in the application.
	 * @param beanFactory has the registry of observations
	 * @param classLoader has the optional libraries
	 * @return all of it
	 */
	static CallerContext of(BeanFactory beanFactory, ClassLoader classLoader) {
		CallerContext found = () -> Context.current()::run;
		if (ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", classLoader)) {
			return found.and(new SnapshotCallerContext());
		}
		if (ClassUtils.isPresent("io.micrometer.observation.ObservationRegistry", classLoader)) {
			found = found.and(new ObservationCallerContext(beanFactory));
		}
		if (ClassUtils.isPresent("org.springframework.security.core.context.SecurityContextHolder", classLoader)) {
			found = found.and(new SecurityCallerContext());
		}
		return found;
	}

}
