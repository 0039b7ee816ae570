package dev.grpcloop.boot.validation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.grpcloop.boot.exception.ExceptionTranslator;
import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import io.grpc.StatusException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.Nullable;

import org.springframework.validation.method.MethodValidationException;
import org.springframework.validation.method.ParameterValidationResult;

/**
 * Violated constraints that are the client's doing: those on the arguments of the very
 * method that was called, found by Spring before it was entered. Others are not claimed;
 * they say that one part of the application has called another one wrongly.
 */
public final class OwnArguments implements ExceptionTranslator {

	@Override
	public @Nullable StatusException translate(Throwable exception, ServiceDetails service,
			MethodDescriptor<?, ?> method) {
		Method java = service.methods().get(method.getFullMethodName());
		Collection<? extends ConstraintViolation<?>> violations = violations(exception);
		if (java == null || violations.isEmpty()
				|| !violations.stream().allMatch((violation) -> isOfArguments(violation, service.type(), java))) {
			return null;
		}
		return InvalidRequest.of(ConstraintPaths.requestViolations(violations.stream(),
				message(violations, RequestTypes.classOf(method))));
	}

	private static Collection<? extends ConstraintViolation<?>> violations(Throwable exception) {
		if (exception instanceof ConstraintViolationException ex) {
			return Objects.requireNonNullElse(ex.getConstraintViolations(), Set.of());
		}
		if (exception instanceof MethodValidationException ex && !ex.isForReturnValue()) {
			return ex.getParameterValidationResults().stream().flatMap(OwnArguments::violations).toList();
		}
		return List.of();
	}

	private static Stream<ConstraintViolation<?>> violations(ParameterValidationResult result) {
		return result.getResolvableErrors()
			.stream()
			.map((error) -> (ConstraintViolation<?>) result.unwrap(error, ConstraintViolation.class));
	}

	private static boolean isOfArguments(ConstraintViolation<?> violation, Class<?> type, Method java) {
		if (!type.isAssignableFrom(violation.getRootBeanClass())) {
			return false;
		}
		Iterator<Path.Node> nodes = violation.getPropertyPath().iterator();
		Path.Node method = nodes.next();
		return method.getKind() == ElementKind.METHOD && method.getName().equals(java.getName())
				&& Arrays.asList(java.getParameterTypes()).equals(method.as(Path.MethodNode.class).getParameterTypes())
				&& nodes.hasNext() && isArgument(nodes.next().getKind());
	}

	private static boolean isArgument(ElementKind kind) {
		return kind == ElementKind.PARAMETER || kind == ElementKind.CROSS_PARAMETER;
	}

	private static @Nullable Object message(Collection<? extends ConstraintViolation<?>> violations,
			@Nullable Class<?> type) {
		@Nullable Object[] arguments = violations.iterator().next().getExecutableParameters();
		if (arguments == null || type == null) {
			return null;
		}
		return Stream.of(arguments).filter(type::isInstance).findFirst().orElse(null);
	}

}
