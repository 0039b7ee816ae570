package dev.grpcloop.boot.controller;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Hints for a native image: the methods of a bean of plain methods are looked at and
 * invoked, and the generated class of its service is asked for the contract.
 */
final class ControllerHintsProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> generated = ControllerBeans.find(bean.getBeanFactory()).get(bean.getBeanName());
		if (generated == null) {
			return null;
		}
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			hints.registerType(generated, MemberCategory.INVOKE_PUBLIC_METHODS);
			for (Class<?> next = type; next != null && next != Object.class; next = next.getSuperclass()) {
				hints.registerType(next, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
			for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
				hints.registerType(implemented, MemberCategory.INVOKE_PUBLIC_METHODS);
			}
		};
	}

}
