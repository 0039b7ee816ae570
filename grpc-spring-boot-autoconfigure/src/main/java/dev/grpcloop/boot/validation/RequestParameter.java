package dev.grpcloop.boot.validation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.grpcloop.boot.service.ServiceDetails;
import jakarta.validation.ConstraintDeclarationException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.metadata.BeanDescriptor;
import jakarta.validation.metadata.MethodDescriptor;
import jakarta.validation.metadata.ParameterDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.MethodParameter;

/**
 * The parameter of a method that takes its request.
 *
 * @param method the method
 * @param index which of its parameters it is
 * @param constraints what is known of all parameters
 */
record RequestParameter(Method method, int index, MethodDescriptor constraints) {

	/**
	 * Looks for the parameter.
	 * @param validator knows the constraints
	 * @param service the service
	 * @param method its method
	 * @param type the class of the requests
	 * @return the parameter, or {@code null} if the method has none such, or has no
	 * constraints
	 * @throws FailureAnalyzedException if the constraints must not be where they are
	 */
	static @Nullable RequestParameter of(Validator validator, ServiceDetails service, Method method, Class<?> type) {
		MethodDescriptor constraints = describe(validator, service).getConstraintsForMethod(method.getName(),
				method.getParameterTypes());
		if (constraints == null || !constraints.hasConstrainedParameters()) {
			return null;
		}
		for (int i = 0; i < method.getParameterCount(); i++) {
			Class<?> resolved = new MethodParameter(method, i).withContainingClass(service.type()).getParameterType();
			if (resolved == type) {
				return new RequestParameter(method, i, constraints);
			}
		}
		return null;
	}

	/**
	 * A method that serves a call overrides one of the generated class, and the
	 * specification forbids such a method to have constraints.
	 */
	private static BeanDescriptor describe(Validator validator, ServiceDetails service) {
		try {
			return validator.getConstraintsForClass(service.type());
		}
		catch (ConstraintDeclarationException ex) {
			throw new FailureAnalyzedException(
					"The Validator cannot apply the constraints of " + service.describe() + ": " + ex.getMessage(),
					"Correct the constraints. If they stand on a method that overrides a generated one, let the "
							+ "Validator bean allow that with " + ConstraintValidators.ALLOW_OVERRIDE
							+ "=true: the one that Spring Boot makes is told so, one of your own is not.",
					ex);
		}
	}

	ParameterDescriptor descriptor() {
		return this.constraints.getParameterDescriptors().get(this.index);
	}

	/**
	 * Whether there is anything to validate.
	 * @param ofMessage whether the class of the request has constraints
	 */
	boolean isConstrained(boolean ofMessage) {
		ParameterDescriptor parameter = descriptor();
		return parameter.hasConstraints() || (parameter.isCascaded() && ofMessage)
				|| !parameter.getConstrainedContainerElementTypes().isEmpty()
				|| this.constraints.getCrossParameterDescriptor().hasConstraints();
	}

	/**
	 * Refuses what would need the other parameters.
	 * @throws FailureAnalyzedException if there is such a constraint
	 */
	void refuseConstraintOnAll(ServiceDetails service) {
		if (this.constraints.getCrossParameterDescriptor().hasConstraints()) {
			throw new FailureAnalyzedException(
					"Method '" + this.method.getName() + "' of " + service.describe()
							+ " has a constraint on its parameters together, but the request is validated before the "
							+ "other parameters exist.",
					"Put the constraint on the parameter that takes the request, or @Validated on the class.");
		}
	}

	/**
	 * Validates requests as arguments of the method.
	 */
	RequestValidator validator(Validator validator, Object target, Class<?>[] groups) {
		return (message) -> {
			@Nullable Object[] arguments = new @Nullable Object[this.method.getParameterCount()];
			arguments[this.index] = message;
			Set<ConstraintViolation<Object>> violations = validator.forExecutables()
				.validateParameters(target, this.method, arguments, groups);
			return violations.isEmpty() ? List.of() : ConstraintPaths.requestViolations(ofRequest(violations), message);
		};
	}

	/** The other arguments are not there yet, which is no fault of the client. */
	private Stream<ConstraintViolation<Object>> ofRequest(Set<ConstraintViolation<Object>> violations) {
		return violations.stream().filter((violation) -> ConstraintPaths.parameterIndex(violation) == this.index);
	}

}
