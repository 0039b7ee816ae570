package dev.grpcloop.boot.service;

import java.util.List;

import io.grpc.BindableService;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Gives native images the methods by which proxies of services are bound, and those that
 * serve calls, which are looked at in all types of a service.
 */
final class ServiceBeanAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		if (!BindableService.class.isAssignableFrom(type)) {
			return null;
		}
		List<GeneratedBinding> bindings = GeneratedBinding.ofType(type);
		return (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			for (Class<?> next = type; next != null && next != Object.class; next = next.getSuperclass()) {
				hints.registerType(next);
			}
			ClassUtils.getAllInterfacesForClassAsSet(type).forEach(hints::registerType);
			bindings.forEach((binding) -> hints.registerMethod(binding.method(), ExecutableMode.INVOKE));
		};
	}

}
