package dev.grpcloop.boot.observation;

import java.util.Set;

import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationConvention;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * Reasons to make an observation of each call: beans that hear of observations, or change
 * them, beyond what Spring Boot brings for its meters.
 */
final class ObservationReasons {

	private static final String BOOT = "org.springframework.boot.micrometer.observation.autoconfigure.";

	/**
	 * The handlers of tracing are there without a tracer too, or with one that does
	 * nothing. The tracer is what counts.
	 */
	private static final String TRACING_HANDLERS = "io.micrometer.tracing.handler.";

	/** What Spring Boot brings, and what says no more than its meters do. */
	private static final Set<String> SPRING_BOOTS = Set.of(BOOT + "PropertiesObservationFilterPredicate",
			"io.micrometer.core.instrument.observation.DefaultMeterObservationHandler");

	private final ConfigurableListableBeanFactory beanFactory;

	ObservationReasons(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Finds a reason.
	 * @return what it is, or {@code null} if there is none
	 */
	@Nullable String first() {
		ClassLoader classLoader = this.beanFactory.getBeanClassLoader();
		if (ClassUtils.isPresent("io.micrometer.tracing.Tracer", classLoader)) {
			String tracer = tracer();
			if (tracer != null) {
				return tracer;
			}
		}
		for (Class<?> type : new Class<?>[] { GrpcServerObservationConvention.class, GlobalObservationConvention.class,
				ObservationHandler.class, ObservationFilter.class, ObservationPredicate.class }) {
			String bean = beanBeyondSpringBoots(type);
			if (bean != null) {
				return bean;
			}
		}
		String customizer = BOOT + "ObservationRegistryCustomizer";
		if (ClassUtils.isPresent(customizer, classLoader)) {
			String bean = beanBeyondSpringBoots(ClassUtils.resolveClassName(customizer, classLoader));
			if (bean != null) {
				return bean;
			}
		}
		return registry();
	}

	private @Nullable String tracer() {
		for (String name : names(Tracer.class)) {
			if (this.beanFactory.getBean(name) != Tracer.NOOP) {
				return describe(name, Tracer.class);
			}
		}
		return null;
	}

	private @Nullable String beanBeyondSpringBoots(Class<?> type) {
		int ofSpringBoot = 0;
		for (String name : names(type)) {
			Class<?> found = this.beanFactory.getType(name, false);
			String known = (found != null) ? found.getName() : "";
			if (SPRING_BOOTS.contains(known) ? ++ofSpringBoot > 1 : !known.startsWith(TRACING_HANDLERS)) {
				return describe(name, type);
			}
		}
		return null;
	}

	/** The application's own may have been given handlers that are no beans. */
	private @Nullable String registry() {
		for (String name : names(ObservationRegistry.class)) {
			ObservationRegistry registry = this.beanFactory.getBean(name, ObservationRegistry.class);
			if (!registry.isNoop() && !isSpringBoots(this.beanFactory, name)) {
				return describe(name, ObservationRegistry.class);
			}
		}
		return null;
	}

	private static boolean isSpringBoots(@Nullable BeanFactory beanFactory, String name) {
		if (!(beanFactory instanceof ConfigurableListableBeanFactory here)) {
			return false;
		}
		if (!here.containsBeanDefinition(name)) {
			return !here.containsSingleton(name) && isSpringBoots(here.getParentBeanFactory(), name);
		}
		BeanDefinition definition = here.getMergedBeanDefinition(name);
		return definition instanceof RootBeanDefinition root && root.getResolvedFactoryMethod() != null
				&& root.getResolvedFactoryMethod().getDeclaringClass().getName().startsWith(BOOT);
	}

	private String[] names(Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type);
	}

	private static String describe(String name, Class<?> type) {
		return type.getSimpleName() + " '" + name + "'";
	}

}
