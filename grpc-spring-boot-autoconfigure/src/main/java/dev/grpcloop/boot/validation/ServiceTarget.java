package dev.grpcloop.boot.validation;

import java.util.stream.Stream;

import dev.grpcloop.boot.service.ServiceBean;
import dev.grpcloop.boot.service.ServiceDetails;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationInterceptor;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/**
 * The object that serves calls, beneath its proxies.
 *
 * @param object the object; the outermost proxy whose target changes, if there is one
 * @param isValidatedBySpring whether one of the proxies validates arguments
 */
record ServiceTarget(Object object, boolean isValidatedBySpring) {

	static ServiceTarget of(ServiceDetails service, BeanFactory beanFactory) {
		Object object = (service.service() instanceof ServiceBean substitute)
				? beanFactory.getBean(substitute.beanName()) : service.service();
		boolean validated = false;
		while (object instanceof Advised proxy) {
			validated |= Stream.of(proxy.getAdvisors())
				.anyMatch((advisor) -> advisor.getAdvice() instanceof MethodValidationInterceptor);
			Object target = AopProxyUtils.getSingletonTarget(object);
			if (target == null) {
				validated |= isToBeValidated(service, beanFactory);
				break;
			}
			object = target;
		}
		return new ServiceTarget(object, validated);
	}

	/** What is beneath a scoped proxy does not exist yet. */
	private static boolean isToBeValidated(ServiceDetails service, BeanFactory beanFactory) {
		return AnnotatedElementUtils.hasAnnotation(service.type(), Validated.class)
				&& beanFactory.getBeanProvider(MethodValidationPostProcessor.class).stream().findAny().isPresent();
	}

}
