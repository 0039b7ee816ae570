package dev.grpcloop.boot.controller;

import dev.grpcloop.boot.GrpcController;
import io.grpc.BindableService;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link BindableService} for each {@link GrpcController} bean of the context
 * and its ancestors, so that whatever looks for services finds these too.
 */
public final class GrpcControllerRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String NAME_PREFIX = "grpcLoopControllerOf.";

	private final BeanFactory beanFactory;

	/**
	 * A registrar for a context. Spring makes it.
	 * @param beanFactory has the beans
	 */
	GrpcControllerRegistrar(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		ControllerBeans.find(this.beanFactory).forEach((name, generated) -> {
			RootBeanDefinition definition = new RootBeanDefinition(ControllerServiceBean.class);
			definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(1, generated);
			registry.registerBeanDefinition(NAME_PREFIX + name, definition);
		});
	}

}
