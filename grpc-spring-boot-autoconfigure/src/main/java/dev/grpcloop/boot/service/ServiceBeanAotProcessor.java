package dev.grpcloop.boot.service;

import java.util.List;

import io.grpc.BindableService;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Gives native images the methods by which proxies of services are bound, and those that
 * serve calls.
 */
final class ServiceBeanAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = bean.getBeanClass();
		if (!BindableService.class.isAssignableFrom(type)) {
			return null;
		}
		List<GeneratedBinding> bindings = GeneratedBinding.ofType(type);
		return (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			hints.registerType(type);
			bindings.forEach((binding) -> hints.registerMethod(binding.method(), ExecutableMode.INVOKE));
		};
	}

}
