package dev.grpcloop.boot.exception;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.util.ClassUtils;

/**
 * Hints for a native image: the methods of a {@link GrpcAdvice} are looked at and
 * invoked, whatever their visibility.
 */
final class AdviceHintsProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		if (bean.getBeanFactory().findAnnotationOnBean(bean.getBeanName(), GrpcAdvice.class, false) == null) {
			return null;
		}
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			for (Class<?> next = type; next != null && next != Object.class; next = next.getSuperclass()) {
				hints.registerType(next, MemberCategory.INVOKE_DECLARED_METHODS);
			}
			for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
				hints.registerType(implemented, MemberCategory.INVOKE_DECLARED_METHODS);
			}
		};
	}

}
