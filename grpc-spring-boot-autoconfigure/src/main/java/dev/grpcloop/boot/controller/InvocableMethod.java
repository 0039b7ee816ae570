package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Finds the method of a bean, which may be a proxy, that leads to a method of its class.
 */
final class InvocableMethod {

	private InvocableMethod() {
	}

	/**
	 * Finds the method.
	 * @param bean the bean
	 * @param method a method of its class, as its author wrote it
	 * @param beanType that class
	 * @param beanName the bean, for the messages
	 * @return the method to call on the bean
	 * @throws FailureAnalyzedException if there is none, or one past the bean's advice
	 */
	static Method of(Object bean, Method method, Class<?> beanType, String beanName) {
		if (Proxy.isProxyClass(bean.getClass()) && !method.getDeclaringClass().isInstance(bean)) {
			Method ofInterface = ofInterfaces(bean.getClass(), method, beanType);
			if (ofInterface == null) {
				throw new FailureAnalyzedException(
						beanName + " is behind a JDK proxy, which has only the methods of its interfaces: "
								+ ControllerMethods.describe(method) + " cannot be called with the bean's advice.",
						"Have the class proxied instead (spring.aop.proxy-target-class=true, which is the default, or "
								+ "proxyTargetClass on the annotation that asks for the proxy), or declare the method in"
								+ " an interface of the class.");
			}
			return ofInterface;
		}
		if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.getModifiers())) {
			throw new FailureAnalyzedException(
					beanName + " is behind a proxy, which cannot override the final method "
							+ ControllerMethods.describe(method) + ": calls would go past the bean's advice.",
					"Make the method not final.");
		}
		return method;
	}

	private static @Nullable Method ofInterfaces(Class<?> proxyType, Method method, Class<?> beanType) {
		for (Class<?> candidate : ClassUtils.getAllInterfacesForClass(proxyType)) {
			if (candidate.isAssignableFrom(beanType)) {
				for (Method ofInterface : candidate.getMethods()) {
					if (isSame(ofInterface, method, beanType)) {
						return ofInterface;
					}
				}
			}
		}
		return null;
	}

	private static boolean isSame(Method ofInterface, Method method, Class<?> beanType) {
		if (!ofInterface.getName().equals(method.getName())
				|| ofInterface.getParameterCount() != method.getParameterCount()
				|| Modifier.isStatic(ofInterface.getModifiers())) {
			return false;
		}
		for (int i = 0; i < method.getParameterCount(); i++) {
			if (ResolvableType.forMethodParameter(ofInterface, i, beanType)
				.toClass() != ResolvableType.forMethodParameter(method, i, beanType).toClass()) {
				return false;
			}
		}
		return true;
	}

}
