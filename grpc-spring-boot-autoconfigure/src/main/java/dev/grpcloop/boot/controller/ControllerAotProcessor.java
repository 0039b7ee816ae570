package dev.grpcloop.boot.controller;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.config.ConstructorArgumentValues.ValueHolder;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Ahead of time, tells of what is called by reflection: the methods of controllers and
 * the descriptors of their services.
 */
final class ControllerAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		if (bean.getBeanClass() != ControllerServiceBean.class) {
			return null;
		}
		Map<Integer, ValueHolder> arguments = bean.getMergedBeanDefinition()
			.getConstructorArgumentValues()
			.getIndexedArgumentValues();
		String controller = String.valueOf(arguments.get(0).getValue());
		Class<?> generated = (Class<?>) arguments.get(1).getValue();
		return new Contribution(generated, bean.getBeanFactory().getType(controller, false));
	}

	/**
	 * What one controller needs.
	 *
	 * @param generated the class that was generated for its service
	 * @param controller the class of the controller, if it is known before there is one
	 */
	private record Contribution(@Nullable Class<?> generated,
			@Nullable Class<?> controller) implements BeanRegistrationAotContribution {

		@Override
		public void applyTo(GenerationContext generationContext, BeanRegistrationCode beanRegistrationCode) {
			ReflectionHints hints = generationContext.getRuntimeHints().reflection();
			if (this.generated != null) {
				ReflectionUtils.doWithMethods(this.generated,
						(method) -> hints.registerMethod(method, ExecutableMode.INVOKE),
						(method) -> method.getName().equals(ServiceContract.DESCRIPTOR_METHOD));
			}
			Class<?> type = (this.controller != null) ? ClassUtils.getUserClass(this.controller) : null;
			while (type != null && type != Object.class) {
				hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
				for (Class<?> api : type.getInterfaces()) {
					hints.registerType(api, MemberCategory.INVOKE_PUBLIC_METHODS);
				}
				type = type.getSuperclass();
			}
		}

	}

}
