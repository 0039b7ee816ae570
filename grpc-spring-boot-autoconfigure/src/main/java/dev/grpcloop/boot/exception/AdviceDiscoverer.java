package dev.grpcloop.boot.exception;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.advice.GrpcAdviceDiscoverer;
import org.springframework.grpc.server.advice.GrpcExceptionHandler;
import org.springframework.util.ReflectionUtils;

/**
 * Finds advice beans in the ancestors of the context too, and their methods behind
 * proxies. Neither classes nor methods need be public.
 */
public final class AdviceDiscoverer extends GrpcAdviceDiscoverer {

	private final ApplicationContext context;

	private final Map<String, Object> beans = new LinkedHashMap<>();

	private final Set<Method> methods = new LinkedHashSet<>();

	/**
	 * A discoverer.
	 * @param context where to look first
	 */
	public AdviceDiscoverer(ApplicationContext context) {
		super(context);
		this.context = context;
	}

	/**
	 * Looks for the beans and their methods.
	 * @throws FailureAnalyzedException if a method is out of reach behind a proxy
	 */
	@Override
	public void afterPropertiesSet() {
		for (ApplicationContext place = this.context; place != null; place = place.getParent()) {
			place.getBeansWithAnnotation(GrpcAdvice.class).forEach(this.beans::putIfAbsent);
		}
		this.beans.keySet().removeIf(ScopedProxyUtils::isScopedTarget);
		this.beans.forEach(this::addMethods);
	}

	private void addMethods(String name, Object bean) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		for (Method method : MethodIntrospector.selectMethods(type, EXCEPTION_HANDLER_METHODS)) {
			Method invocable = invocable(method, bean);
			if (invocable == null) {
				throw new FailureAnalyzedException(
						"@GrpcExceptionHandler method '" + method.getName() + "' of bean '" + name + "' ("
								+ type.getName() + ") cannot be called: the bean is behind a proxy that does not have "
								+ "the method.",
						"Make the method at least package-private, and let the proxy be of the class "
								+ "(spring.aop.proxy-target-class=true, proxyTargetClass of the annotation).");
			}
			ReflectionUtils.makeAccessible(invocable);
			this.methods.add(invocable);
		}
	}

	private static @Nullable Method invocable(Method method, Object bean) {
		try {
			Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
			return invocable.isAnnotationPresent(GrpcExceptionHandler.class) ? invocable : null;
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	@Override
	public Map<String, Object> getAnnotatedBeans() {
		return this.beans;
	}

	@Override
	public Set<Method> getAnnotatedMethods() {
		return this.methods;
	}

}
