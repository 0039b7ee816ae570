package dev.grpcloop.boot.validation;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.Nullable;

/**
 * Turns violated constraints into what clients read: paths through Java properties become
 * paths through fields.
 */
final class ConstraintPaths {

	private static final Comparator<RequestViolation> ORDER = Comparator
		.comparing(RequestViolation::field, NaturalOrder::compare)
		.thenComparing(RequestViolation::reason)
		.thenComparing(RequestViolation::description);

	private ConstraintPaths() {
	}

	/**
	 * Describes violations. They come as a set without an order.
	 * @param violations the violations
	 * @param message the request
	 * @return the violations in the order of their fields
	 */
	static List<RequestViolation> requestViolations(Stream<? extends ConstraintViolation<?>> violations,
			@Nullable Object message) {
		return violations.map((violation) -> requestViolation(violation, message)).sorted(ORDER).toList();
	}

	private static RequestViolation requestViolation(ConstraintViolation<?> violation, @Nullable Object message) {
		String constraint = violation.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName();
		return new RequestViolation(path(violation, message), violation.getMessage(),
				RequestViolation.reason(constraint));
	}

	/**
	 * Which parameter a violation is about.
	 * @param violation of a constraint on a method
	 * @return its index, or -1 if it is not about one
	 */
	static int parameterIndex(ConstraintViolation<?> violation) {
		for (Path.Node node : violation.getPropertyPath()) {
			if (node.getKind() == ElementKind.PARAMETER) {
				return node.as(Path.ParameterNode.class).getParameterIndex();
			}
		}
		return -1;
	}

	private static String path(ConstraintViolation<?> violation, @Nullable Object message) {
		ProtoFieldPath path = new ProtoFieldPath();
		Descriptor descriptor = (message instanceof Message known) ? known.getDescriptorForType() : null;
		Iterator<Path.Node> nodes = violation.getPropertyPath().iterator();
		while (nodes.hasNext()) {
			Path.Node node = nodes.next();
			addElement(path, node);
			if (node.getKind() == ElementKind.PROPERTY) {
				JavaProperty property = JavaProperty.of(node.getName(), descriptor);
				path.field(property.fieldName());
				descriptor = property.messageType();
			}
		}
		return path.toString();
	}

	/** A node tells which element of the one before it it belongs to. */
	private static void addElement(ProtoFieldPath path, Path.Node node) {
		if (node.getKind() == ElementKind.PARAMETER || !node.isInIterable()) {
			return;
		}
		if (node.getIndex() != null) {
			path.index(node.getIndex());
		}
		else if (node.getKey() != null) {
			path.key(node.getKey());
		}
	}

}
