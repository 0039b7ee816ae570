package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.grpcloop.boot.GrpcController;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The beans of plain methods that a context and its ancestors define. None is made to
 * find them.
 */
final class ControllerBeans {

	private ControllerBeans() {
	}

	/**
	 * Finds the beans.
	 * @param beanFactory the one of the context
	 * @return their names and the generated classes of their services, in the order of
	 * their definitions, those of ancestors last
	 */
	static Map<String, Class<?>> find(BeanFactory beanFactory) {
		Map<String, Class<?>> found = new LinkedHashMap<>();
		Set<String> hidden = new HashSet<>();
		BeanFactory next = beanFactory;
		while (next instanceof ConfigurableListableBeanFactory factory) {
			for (String name : names(factory)) {
				Class<?> generated = hidden.contains(name) ? null : generated(name, factory);
				if (generated != null) {
					found.put(name, generated);
				}
			}
			hidden.addAll(names(factory));
			next = parent(factory);
		}
		return found;
	}

	private static @Nullable BeanFactory parent(ConfigurableListableBeanFactory factory) {
		BeanFactory parent = factory.getParentBeanFactory();
		return (parent instanceof org.springframework.context.ApplicationContext context)
				? context.getAutowireCapableBeanFactory() : parent;
	}

	private static Set<String> names(ConfigurableListableBeanFactory factory) {
		Set<String> names = new LinkedHashSet<>(List.of(factory.getBeanDefinitionNames()));
		names.addAll(List.of(factory.getSingletonNames()));
		return names;
	}

	private static @Nullable Class<?> generated(String name, ConfigurableListableBeanFactory factory) {
		if (ScopedProxyUtils.isScopedTarget(name)) {
			return null;
		}
		// a scoped proxy has neither class nor method of its author's
		String target = ScopedProxyUtils.getTargetBeanName(name);
		String declared = factory.containsBeanDefinition(target) ? target : name;
		if (factory.containsBeanDefinition(declared) && factory.getBeanDefinition(declared).isAbstract()) {
			return null;
		}
		GrpcController ofType = factory.findAnnotationOnBean(declared, GrpcController.class, false);
		// the type was looked for, so the method is known
		GrpcController ofMethod = ofMethod(declared, factory);
		GrpcController annotation = (ofMethod != null) ? ofMethod : ofType;
		return (annotation != null) ? annotation.value() : null;
	}

	private static @Nullable GrpcController ofMethod(String name, ConfigurableListableBeanFactory factory) {
		if (!factory.containsBeanDefinition(name)) {
			return null;
		}
		BeanDefinition definition = factory.getMergedBeanDefinition(name);
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		return (method != null) ? AnnotatedElementUtils.findMergedAnnotation(method, GrpcController.class) : null;
	}

}
