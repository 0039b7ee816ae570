package dev.grpcloop.boot.validation;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import jakarta.validation.Validator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.validation.annotation.Validated;

/**
 * Constraints of Jakarta Validation: on the parameter that takes the request, and those
 * that a mapping, in XML or of a program, gives the class of the request. A service that
 * Spring validates itself, since its class is {@link Validated}, is spared the former.
 */
public final class ConstraintRules implements RequestRules {

	private final Supplier<Validator> validator;

	private final BeanFactory beanFactory;

	/**
	 * Rules.
	 * @param validator knows and applies the constraints
	 * @param beanFactory has the services
	 */
	public ConstraintRules(Supplier<Validator> validator, BeanFactory beanFactory) {
		this.validator = validator;
		this.beanFactory = beanFactory;
	}

	@Override
	public @Nullable RequestValidator validatorOf(ServiceDetails service, MethodDescriptor<?, ?> method) {
		Class<?> type = RequestTypes.classOf(method);
		if (type == null) {
			return null;
		}
		Validator validator = this.validator.get();
		Method java = service.methods().get(method.getFullMethodName());
		Class<?>[] groups = groups(service, java);
		RequestValidator ofMessage = ofMessage(validator, type, groups);
		RequestParameter parameter = (java != null) ? RequestParameter.of(validator, service, java, type) : null;
		if (parameter == null || !parameter.isConstrained(ofMessage != null)) {
			return ofMessage;
		}
		// the constraints of a cascaded message belong to those of the parameter
		RequestValidator rest = parameter.descriptor().isCascaded() ? null : ofMessage;
		ServiceTarget target = ServiceTarget.of(service, this.beanFactory);
		if (target.isValidatedBySpring()) {
			return rest;
		}
		parameter.refuseConstraintOnAll(service);
		RequestValidator ofParameter = parameter.validator(validator, target.object(), groups);
		return (rest != null) ? ofParameter.and(rest) : ofParameter;
	}

	private static Class<?>[] groups(ServiceDetails service, @Nullable Method java) {
		Validated validated = (java != null) ? AnnotatedElementUtils.findMergedAnnotation(java, Validated.class) : null;
		if (validated == null) {
			validated = AnnotatedElementUtils.findMergedAnnotation(service.type(), Validated.class);
		}
		return (validated != null) ? validated.value() : new Class<?>[0];
	}

	private static @Nullable RequestValidator ofMessage(Validator validator, Class<?> type, Class<?>[] groups) {
		if (!validator.getConstraintsForClass(type).isBeanConstrained()) {
			return null;
		}
		return (message) -> ConstraintPaths.requestViolations(validator.validate(message, groups).stream(), message);
	}

}
