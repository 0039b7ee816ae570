package dev.grpcloop.boot.autoconfigure;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerBuilder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.core.ResolvableType;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * The customizers of the application: those of a server's builder, and of every builder,
 * are called in their order; those of another server's builder are named in one warning
 * by the server on the network.
 *
 * @param <T> the builder
 */
final class ApplicationBuilderCustomizers<T extends ServerBuilder<T>> implements ServerBuilderCustomizer<T> {

	private static final Log logger = LogFactory.getLog(ApplicationBuilderCustomizers.class);

	private static final String IN_PROCESS = "io.grpc.inprocess.InProcessServerBuilder";

	private final ConfigurableListableBeanFactory beanFactory;

	ApplicationBuilderCustomizers(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void customize(T builder) {
		Map<Object, String> names = names();
		List<String> others = new ArrayList<>();
		this.beanFactory.getBeanProvider(ServerBuilderCustomizer.class).orderedStream().forEach((customizer) -> {
			String name = names.getOrDefault(customizer, customizer.getClass().getName());
			String type = customizeOrType(builder, customizer, name);
			if (type != null && !(type.equals(IN_PROCESS) && hasOtherServer())) {
				others.add("\n    - '" + name + "' for " + type);
			}
		});
		if (!others.isEmpty() && builder instanceof EventLoopServerBuilder) {
			logger.warn("These ServerBuilderCustomizer beans do nothing, since they are for the builder of another "
					+ "server:" + String.join("", others) + "\nThe event-loop server is built by "
					+ EventLoopServerBuilder.class.getName() + ": write a ServerBuilderCustomizer for that type, or "
					+ "set the properties of grpc.server that do the same.");
		}
	}

	/**
	 * Calls a customizer, unless it is for another builder.
	 * @return the type of the other builder, or {@code null} if it was called
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	private @Nullable String customizeOrType(T builder, ServerBuilderCustomizer customizer, String name) {
		Class<?> type;
		try {
			type = builderType(customizer, name);
		}
		catch (TypeNotPresentException ex) {
			return ex.typeName();
		}
		if (type == null) {
			boolean called = LambdaSafe.callback(ServerBuilderCustomizer.class, customizer, builder)
				.withLogger(ApplicationBuilderCustomizers.class)
				.invokeAnd((callback) -> {
					callback.customize(builder);
					return true;
				})
				.hasResult();
			return called ? null : "a type that it does not declare";
		}
		if (!type.isInstance(builder)) {
			return type.getName();
		}
		customizer.customize(builder);
		return null;
	}

	/**
	 * Looks at what the bean method or the class says. A class made from a lambda says
	 * nothing, and neither does a raw type.
	 */
	private @Nullable Class<?> builderType(Object customizer, String name) {
		Class<?> declared = builderType(declaredType(name));
		return (declared != null) ? declared
				: builderType(ResolvableType.forClass(AopUtils.getTargetClass(customizer)));
	}

	private static @Nullable Class<?> builderType(ResolvableType customizer) {
		ResolvableType builder = customizer.as(ServerBuilderCustomizer.class).getGeneric(0);
		Class<?> type = builder.resolve();
		return (type != null && type != ServerBuilder.class && ServerBuilder.class.isAssignableFrom(type)) ? type
				: null;
	}

	private ResolvableType declaredType(String name) {
		BeanFactory factory = this.beanFactory;
		while (factory instanceof ConfigurableListableBeanFactory configurable) {
			if (configurable.containsBeanDefinition(name)) {
				return configurable.getMergedBeanDefinition(name).getResolvableType();
			}
			factory = configurable.getParentBeanFactory();
		}
		return ResolvableType.NONE;
	}

	private Map<Object, String> names() {
		Map<Object, String> names = new IdentityHashMap<>();
		BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beanFactory, ServerBuilderCustomizer.class)
			.forEach((name, customizer) -> names.put(customizer, name));
		return names;
	}

	/** The in-process server has customizers of its own. */
	private boolean hasOtherServer() {
		return this.beanFactory.getBeanNamesForType(GrpcServerFactory.class, true, false).length > 1;
	}

}
