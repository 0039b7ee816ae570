package dev.grpcloop.boot.service;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * The beans of a context and of its ancestors, never those of its descendants. A bean
 * hides the ancestors' beans of its name; the target of a scoped proxy is hidden by the
 * proxy.
 */
final class BeanHierarchy {

	private final List<ConfigurableListableBeanFactory> factories = new ArrayList<>();

	/**
	 * The beans that a bean factory sees.
	 * @param beanFactory the one to begin with
	 */
	BeanHierarchy(BeanFactory beanFactory) {
		BeanFactory next = beanFactory;
		while (next != null) {
			if (next instanceof ApplicationContext context) {
				next = context.getAutowireCapableBeanFactory();
			}
			if (next instanceof ConfigurableListableBeanFactory factory) {
				this.factories.add(factory);
			}
			next = (next instanceof HierarchicalBeanFactory child) ? child.getParentBeanFactory() : null;
		}
	}

	/**
	 * Finds the beans of a type, and makes none of them.
	 * @param type their type
	 * @return the beans in the order of their definitions, those of ancestors last
	 */
	List<NamedBean> ofType(Class<?> type) {
		return find((factory) -> factory.getBeanNamesForType(type));
	}

	/**
	 * Finds the beans that are declared to be of a type, while definitions are still
	 * being read.
	 * @param type their type
	 * @return the beans in the order of their definitions, those of ancestors last
	 */
	List<NamedBean> declaredAs(Class<?> type) {
		return find((factory) -> factory.getBeanNamesForType(type, true, false));
	}

	/**
	 * Finds the beans that bear an annotation, on their class or on the method that makes
	 * them, and makes none of them.
	 * @param type the annotation
	 * @return the beans in the order of their definitions, those of ancestors last
	 */
	List<NamedBean> annotatedWith(Class<? extends Annotation> type) {
		return find((factory) -> factory.getBeanNamesForAnnotation(type));
	}

	/**
	 * Finds a bean by its name.
	 * @param name the name
	 * @return the bean, or {@code null} if there is none
	 */
	@Nullable NamedBean named(String name) {
		for (ConfigurableListableBeanFactory factory : this.factories) {
			if (factory.containsLocalBean(name)) {
				return new NamedBean(name, factory);
			}
		}
		return null;
	}

	/**
	 * Finds the bean that Spring would inject for a type.
	 * @param type the type
	 * @return the bean; none where there is none; all that come into question where
	 * Spring could not choose
	 */
	List<NamedBean> candidates(Class<?> type) {
		for (ConfigurableListableBeanFactory factory : this.factories) {
			List<NamedBean> found = Stream.of(factory.getBeanNamesForType(type))
				.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
				.map((name) -> new NamedBean(name, factory))
				.toList();
			if (found.size() > 1) {
				List<NamedBean> primary = found.stream().filter(NamedBean::isPrimary).toList();
				return primary.isEmpty() ? found : primary;
			}
			if (!found.isEmpty()) {
				return found;
			}
		}
		return List.of();
	}

	private List<NamedBean> find(Function<ConfigurableListableBeanFactory, String[]> names) {
		Map<String, NamedBean> found = new LinkedHashMap<>();
		for (ConfigurableListableBeanFactory factory : this.factories) {
			for (String name : names.apply(factory)) {
				if (!ScopedProxyUtils.isScopedTarget(name) && !isHidden(name, factory)) {
					found.putIfAbsent(name, new NamedBean(name, factory));
				}
			}
		}
		return List.copyOf(found.values());
	}

	/** A bean of the same name but another type hides the ancestor's too. */
	private boolean isHidden(String name, ConfigurableListableBeanFactory owner) {
		for (ConfigurableListableBeanFactory factory : this.factories) {
			if (factory == owner) {
				return false;
			}
			if (factory.containsLocalBean(name)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Compares beans as Spring does where it injects a list of them: by what their
	 * definitions say, then by the beans' own interfaces and annotations.
	 * @param names the bean that an instance is
	 * @return the comparator
	 */
	static Comparator<Object> order(Map<Object, NamedBean> names) {
		return AnnotationAwareOrderComparator.INSTANCE.withSourceProvider((bean) -> {
			NamedBean name = names.get(bean);
			return (name != null) ? name.orderSources().toArray() : null;
		});
	}

}
