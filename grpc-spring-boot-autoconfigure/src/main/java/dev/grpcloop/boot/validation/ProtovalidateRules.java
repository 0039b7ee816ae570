package dev.grpcloop.boot.validation;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Supplier;

import build.buf.protovalidate.Validator;
import build.buf.protovalidate.Violation;
import build.buf.protovalidate.exceptions.CompilationException;
import build.buf.protovalidate.exceptions.ValidationException;
import build.buf.validate.FieldPath;
import build.buf.validate.FieldPathElement;
import com.google.protobuf.Message;
import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The rules that {@code .proto} files give their messages with the options of
 * {@code buf/validate/validate.proto}.
 *
 * @see <a href="https://protovalidate.com">protovalidate</a>
 */
public final class ProtovalidateRules implements RequestRules {

	private final Supplier<Validator> validator;

	/**
	 * Rules.
	 * @param validator applies the rules; asked for only if a message has some, since it
	 * is costly to make
	 */
	public ProtovalidateRules(Supplier<Validator> validator) {
		this.validator = validator;
	}

	@Override
	public @Nullable RequestValidator validatorOf(ServiceDetails service, MethodDescriptor<?, ?> method) {
		Message empty = RequestTypes.emptyMessage(method);
		if (empty == null || !ProtoRuleOptions.in(empty.getDescriptorForType())) {
			return null;
		}
		Validator validator = this.validator.get();
		compile(validator, empty, method);
		return (message) -> validate(validator, (Message) message);
	}

	/**
	 * The library compiles the rules of a message, and of those in it, when it sees the
	 * first one.
	 */
	private static void compile(Validator validator, Message empty, MethodDescriptor<?, ?> method) {
		try {
			validator.validate(empty);
		}
		catch (CompilationException ex) {
			throw new FailureAnalyzedException(
					"The protovalidate rules of message " + empty.getDescriptorForType().getFullName() + " ("
							+ empty.getDescriptorForType().getFile().getName() + "), which "
							+ method.getFullMethodName() + " takes, cannot be compiled: " + ex.getMessage(),
					"Correct the rules in the .proto file of the message or of one that it contains. "
							+ "grpc.server.validation.enabled=false serves the method without validation.",
					ex);
		}
		catch (ValidationException ex) {
			// an empty message may be more than a rule can bear, and need not ever come
		}
	}

	private static List<RequestViolation> validate(Validator validator, Message message) {
		try {
			return validator.validate(message).getViolations().stream().map(ProtovalidateRules::violation).toList();
		}
		catch (ValidationException ex) {
			throw new IllegalStateException("The protovalidate rules of message "
					+ message.getDescriptorForType().getFullName() + " cannot be applied to a request", ex);
		}
	}

	private static RequestViolation violation(Violation violation) {
		build.buf.validate.Violation proto = violation.toProto();
		String description = proto.getMessage().isEmpty() ? proto.getRuleId() : proto.getMessage();
		return new RequestViolation(path(proto.getField()), description, RequestViolation.reason(proto.getRuleId()));
	}

	private static String path(FieldPath path) {
		ProtoFieldPath field = new ProtoFieldPath();
		for (FieldPathElement element : path.getElementsList()) {
			field.field(element.getFieldName());
			switch (element.getSubscriptCase()) {
				case INDEX -> field.index(element.getIndex());
				case BOOL_KEY -> field.key(element.getBoolKey());
				case INT_KEY -> field.key(element.getIntKey());
				case UINT_KEY -> field.key(new BigInteger(Long.toUnsignedString(element.getUintKey())));
				case STRING_KEY -> field.key(element.getStringKey());
				case SUBSCRIPT_NOT_SET -> {
					// the field as a whole
				}
			}
		}
		return field.toString();
	}

}
