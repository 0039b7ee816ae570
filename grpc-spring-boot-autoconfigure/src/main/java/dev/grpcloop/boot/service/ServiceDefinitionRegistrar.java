package dev.grpcloop.boot.service;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link BindableService} for each {@link ServerServiceDefinition} bean of
 * the context and its ancestors, so that conditions on services count these beans too.
 */
public final class ServiceDefinitionRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String NAME_PREFIX = "grpcLoopServiceOf.";

	private final BeanFactory beanFactory;

	ServiceDefinitionRegistrar(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		for (NamedBean bean : new BeanHierarchy(this.beanFactory).declaredAs(ServerServiceDefinition.class)) {
			RootBeanDefinition definition = new RootBeanDefinition(ServiceDefinitionBean.class);
			definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(0, bean.name());
			registry.registerBeanDefinition(NAME_PREFIX + bean.name(), definition);
		}
	}

}
