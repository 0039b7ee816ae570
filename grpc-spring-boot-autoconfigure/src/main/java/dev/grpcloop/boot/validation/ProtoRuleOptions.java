package dev.grpcloop.boot.validation;

import java.util.HashSet;
import java.util.Set;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;

/**
 * Whether a message has protovalidate rules. They are options of the message, of its
 * fields and of its oneofs, all with one number, which is registered for them.
 *
 * @see <a href=
 * "https://github.com/protocolbuffers/protobuf/blob/main/docs/options.md">the registered
 * options</a>
 */
final class ProtoRuleOptions {

	private static final int NUMBER = 1159;

	private ProtoRuleOptions() {
	}

	/**
	 * Looks for rules in a message type and in all that it contains.
	 * @param message the type
	 * @return whether there are any
	 */
	static boolean in(Descriptor message) {
		return in(message, new HashSet<>());
	}

	private static boolean in(Descriptor message, Set<Descriptor> seen) {
		if (!seen.add(message)) {
			return false;
		}
		if (has(message.getOptions())) {
			return true;
		}
		for (OneofDescriptor oneof : message.getOneofs()) {
			if (has(oneof.getOptions())) {
				return true;
			}
		}
		for (FieldDescriptor field : message.getFields()) {
			boolean nested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
			if (has(field.getOptions()) || (nested && in(field.getMessageType(), seen))) {
				return true;
			}
		}
		return false;
	}

	/** A descriptor that was read without the extensions has them as unknown fields. */
	private static boolean has(Message options) {
		return options.getUnknownFields().hasField(NUMBER)
				|| options.getAllFields().keySet().stream().anyMatch((option) -> option.getNumber() == NUMBER);
	}

}
