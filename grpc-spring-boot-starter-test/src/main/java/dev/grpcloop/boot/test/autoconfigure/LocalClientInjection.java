package dev.grpcloop.boot.test.autoconfigure;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Lets a context inject clients of its server.
 */
final class LocalClientInjection implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory instanceof DefaultListableBeanFactory factory) {
			factory.setAutowireCandidateResolver(new LocalClientResolver(factory.getAutowireCandidateResolver(),
					factory, (type) -> factory.getBean(LocalClients.class).create(type)));
		}
	}

}
