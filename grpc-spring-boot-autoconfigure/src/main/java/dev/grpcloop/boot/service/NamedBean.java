package dev.grpcloop.boot.service;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A bean that need not exist yet, in the context that defines it.
 *
 * @param name its name
 * @param factory the bean factory of its context
 */
record NamedBean(String name, ConfigurableListableBeanFactory factory) {

	private static final List<String> AUTO_CONFIGURATIONS = List.of("dev.grpcloop.boot.autoconfigure.",
			"org.springframework.boot.grpc.server.autoconfigure.");

	/**
	 * Returns the bean, which is made if need be.
	 * @return the bean
	 */
	Object get() {
		return this.factory.getBean(this.name);
	}

	/**
	 * Returns whether all who ask get the same bean.
	 * @return whether there is one
	 */
	boolean isSingleton() {
		return this.factory.isSingleton(this.name);
	}

	/**
	 * Returns what is known of the bean's type without making it.
	 * @return the type, or {@code null} if nothing is known
	 */
	@Nullable Class<?> type() {
		return this.factory.getType(this.name, false);
	}

	/**
	 * Returns whether the bean can be of no other type than it is known to be before it
	 * is made. A method may return more than it declares.
	 * @return whether its class is its own
	 */
	boolean isTypeCertain() {
		if (!this.factory.containsBeanDefinition(this.name)) {
			return true;
		}
		return this.factory.getMergedBeanDefinition(this.name).getFactoryMethodName() == null
				&& !this.factory.isFactoryBean(this.name);
	}

	/**
	 * Returns whether the bean comes from the auto-configuration of a server, ours or
	 * Spring Boot's.
	 * @return whether it gives way to beans of the application
	 */
	boolean isAutoConfigured() {
		return orderSources().stream()
			.filter(Method.class::isInstance)
			.map((method) -> ((Method) method).getDeclaringClass().getName())
			.anyMatch((type) -> AUTO_CONFIGURATIONS.stream().anyMatch(type::startsWith));
	}

	/**
	 * Returns whether Spring prefers the bean to others of its type.
	 * @return whether its definition is primary
	 */
	boolean isPrimary() {
		return this.factory.containsBeanDefinition(this.name)
				&& this.factory.getMergedBeanDefinition(this.name).isPrimary();
	}

	/**
	 * Looks for an annotation on the class of the bean and on the method that makes it.
	 * @param <A> the annotation
	 * @param type its type
	 * @return the annotation, or {@code null} if there is none
	 */
	<A extends Annotation> @Nullable A findAnnotation(Class<A> type) {
		for (String definition : definitions()) {
			A annotation = this.factory.findAnnotationOnBean(definition, type, false);
			if (annotation != null) {
				return annotation;
			}
		}
		// an interface-based proxy hides the class that a method returns
		Object existing = this.factory.containsSingleton(this.name) ? this.factory.getSingleton(this.name) : null;
		return (existing != null)
				? AnnotatedElementUtils.findMergedAnnotation(AopProxyUtils.ultimateTargetClass(existing), type) : null;
	}

	/**
	 * Returns what may say the order of the bean, beside the bean itself: the attribute
	 * of its definition, the method that makes it, its declared class.
	 * @return the sources, the ones that count most first
	 */
	List<Object> orderSources() {
		List<Object> sources = new ArrayList<>();
		for (String name : definitions()) {
			if (this.factory.containsBeanDefinition(name)) {
				addOrderSources(sources, this.factory.getMergedBeanDefinition(name));
			}
		}
		return sources;
	}

	private static void addOrderSources(List<Object> sources, BeanDefinition definition) {
		if (definition.getAttribute(AbstractBeanDefinition.ORDER_ATTRIBUTE) instanceof Integer order) {
			sources.add((Ordered) () -> order);
		}
		if (definition instanceof RootBeanDefinition root) {
			if (root.getResolvedFactoryMethod() != null) {
				sources.add(root.getResolvedFactoryMethod());
			}
			if (root.getTargetType() != null) {
				sources.add(root.getTargetType());
			}
		}
	}

	/** The definition of a scoped proxy knows nothing of its target's annotations. */
	private List<String> definitions() {
		String target = ScopedProxyUtils.getTargetBeanName(this.name);
		return this.factory.containsBeanDefinition(target) ? List.of(this.name, target) : List.of(this.name);
	}

}
