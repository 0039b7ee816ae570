package dev.grpcloop.boot.service;

import java.lang.reflect.Method;
import java.util.Map;

import io.grpc.ServerServiceDefinition;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;

/**
 * Stands for a bean that is a {@link ServerServiceDefinition}. No auto-proxy is put
 * around it.
 */
public final class ServiceDefinitionBean implements ServiceBean, AopInfrastructureBean {

	private final String beanName;

	private final BeanFactory beanFactory;

	/**
	 * The service of a bean.
	 * @param beanName the name of the bean
	 * @param beanFactory knows the bean
	 */
	public ServiceDefinitionBean(String beanName, BeanFactory beanFactory) {
		this.beanName = beanName;
		this.beanFactory = beanFactory;
	}

	@Override
	public ServerServiceDefinition bindService() {
		return this.beanFactory.getBean(this.beanName, ServerServiceDefinition.class);
	}

	@Override
	public String beanName() {
		return this.beanName;
	}

	@Override
	public Class<?> beanType() {
		return ServerServiceDefinition.class;
	}

	/**
	 * Returns nothing: the handlers of a definition need not be methods.
	 */
	@Override
	public Map<String, Method> methods() {
		return Map.of();
	}

}
