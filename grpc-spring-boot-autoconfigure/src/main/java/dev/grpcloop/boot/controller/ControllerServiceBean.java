package dev.grpcloop.boot.controller;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

import dev.grpcloop.boot.service.ServiceBean;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The service that a bean of plain methods serves. It is bound once, when a server asks
 * for it first; the bean is made then, if it was not before. No auto-proxy is put around
 * this one: advice is the bean's own.
 */
final class ControllerServiceBean implements ServiceBean, AopInfrastructureBean {

	private final String beanName;

	private final Class<?> generated;

	private final BeanFactory beanFactory;

	private @Nullable ControllerBinding binding;

	/**
	 * The service of a bean.
	 * @param beanName the name of the bean
	 * @param generated the class that was generated for the service
	 * @param beanFactory knows the bean
	 */
	ControllerServiceBean(String beanName, Class<?> generated, BeanFactory beanFactory) {
		this.beanName = beanName;
		this.generated = generated;
		this.beanFactory = beanFactory;
	}

	/**
	 * {@inheritDoc}
	 * @throws FailureAnalyzedException if the bean cannot serve the service
	 */
	@Override
	public ServerServiceDefinition bindService() {
		return binding().definition();
	}

	@Override
	public String beanName() {
		return this.beanName;
	}

	@Override
	public Class<?> beanType() {
		return binding().beanType();
	}

	@Override
	public Map<String, Method> methods() {
		return binding().methods();
	}

	@Override
	public Set<String> waitingMethods() {
		return binding().waitingMethods();
	}

	private synchronized ControllerBinding binding() {
		ControllerBinding binding = this.binding;
		if (binding == null) {
			binding = ControllerBinding.of(this.beanName, this.generated, this.beanFactory);
			this.binding = binding;
		}
		return binding;
	}

}
