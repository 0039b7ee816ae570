package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.IntroductionAdvisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * What is behind a proxy of Spring's: its advice, and at last the object of the
 * application.
 */
final class ProxyTarget {

	private final Object proxy;

	private final Class<?> type;

	ProxyTarget(Object proxy, Class<?> type) {
		this.proxy = proxy;
		this.type = type;
	}

	/**
	 * Returns whether the object behind the proxy is always the same. It is not with a
	 * scoped proxy.
	 * @return whether it is the same
	 */
	boolean isFixed() {
		Object next = this.proxy;
		while (next instanceof Advised advised) {
			TargetSource source = advised.getTargetSource();
			if (!source.isStatic()) {
				return false;
			}
			next = targetOf(source);
		}
		return next != this.proxy;
	}

	/**
	 * Shows the object behind the proxy to a function.
	 * @param <T> what it makes of the object
	 * @param function the function
	 * @return what it returns, or {@code null} if there is no object at this moment, as
	 * it is outside a request with a proxy of request scope
	 */
	<T> @Nullable T apply(Function<Object, T> function) {
		return apply(this.proxy, function);
	}

	private static <T> @Nullable T apply(Object object, Function<Object, T> function) {
		if (!(object instanceof Advised advised)) {
			return function.apply(object);
		}
		TargetSource source = advised.getTargetSource();
		Object target = targetOf(source);
		if (target == null) {
			return null;
		}
		try {
			return apply(target, function);
		}
		finally {
			release(source, target);
		}
	}

	/**
	 * Finds the methods around which advice runs.
	 * @param methods those in question
	 * @return the advised ones of them, each with what advises it
	 */
	Map<Method, Object> advised(Collection<Method> methods) {
		Map<Method, Object> advised = new LinkedHashMap<>();
		for (Method method : methods) {
			Object advice = adviceOf(method);
			if (advice != null) {
				advised.put(method, advice);
			}
		}
		return advised;
	}

	private @Nullable Object adviceOf(Method method) {
		Object next = this.proxy;
		if (!(next instanceof Advised)) {
			return next;
		}
		while (next instanceof Advised advised) {
			for (Advisor advisor : advised.getAdvisors()) {
				if (isAround(advisor, method)) {
					return advisor.getAdvice();
				}
			}
			if (!advised.getTargetSource().isStatic()) {
				return advised.getTargetSource();
			}
			next = targetOf(advised.getTargetSource());
		}
		return null;
	}

	private boolean isAround(Advisor advisor, Method method) {
		if (advisor == ExposeInvocationInterceptor.ADVISOR || advisor instanceof IntroductionAdvisor) {
			return false;
		}
		if (!(advisor instanceof PointcutAdvisor pointcutAdvisor)) {
			return true;
		}
		Pointcut pointcut = pointcutAdvisor.getPointcut();
		return pointcut.getClassFilter().matches(this.type) && pointcut.getMethodMatcher().matches(method, this.type);
	}

	private static @Nullable Object targetOf(TargetSource source) {
		try {
			return source.getTarget();
		}
		catch (Exception ex) {
			return null;
		}
	}

	private static void release(TargetSource source, Object target) {
		try {
			source.releaseTarget(target);
		}
		catch (Exception ex) {
			throw new IllegalStateException("A bean could not be released", ex);
		}
	}

}
