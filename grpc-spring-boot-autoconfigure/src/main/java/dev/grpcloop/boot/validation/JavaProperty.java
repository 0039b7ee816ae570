package dev.grpcloop.boot.validation;

import java.util.List;
import java.util.Locale;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A property of a generated class, and the field that it gets. The generator makes
 * {@code getStreetName} and {@code getStreetNameBytes} of {@code street_name},
 * {@code getItemsList} of {@code repeated items}, {@code getLabelsMap} of a map; the
 * private fields end in an underscore.
 *
 * @param fieldName the name in the {@code .proto} file
 * @param messageType the type of the field, of its elements or its values, if that is a
 * message
 */
record JavaProperty(String fieldName, @Nullable Descriptor messageType) {

	private static final List<String> SUFFIXES = List.of("", "List", "Map", "Bytes", "Value", "OrBuilder", "Count",
			"BytesList", "ValueList", "ValueMap", "OrBuilderList");

	/**
	 * Looks for the field of a property.
	 * @param property its name, or the name of the field itself
	 * @param message the type that has it, or {@code null} if that is not known
	 * @return the property; if there is no such field, with a name in the style of
	 * {@code .proto} files
	 */
	static JavaProperty of(String property, @Nullable Descriptor message) {
		if (message == null) {
			return new JavaProperty(snakeCase(property), null);
		}
		FieldDescriptor exact = message.findFieldByName(property);
		if (exact != null) {
			return of(exact);
		}
		String name = StringUtils.capitalize(StringUtils.trimTrailingCharacter(property, '_'));
		for (String suffix : SUFFIXES) {
			for (FieldDescriptor field : message.getFields()) {
				if (name.equals(camelCase(field.getName()) + suffix)) {
					return of(field);
				}
			}
		}
		for (OneofDescriptor oneof : message.getRealOneofs()) {
			if (name.equals(camelCase(oneof.getName()) + "Case")) {
				return new JavaProperty(oneof.getName(), null);
			}
		}
		return new JavaProperty(snakeCase(property), null);
	}

	private static JavaProperty of(FieldDescriptor field) {
		FieldDescriptor value = field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
		return new JavaProperty(field.getName(),
				(value.getJavaType() == FieldDescriptor.JavaType.MESSAGE) ? value.getMessageType() : null);
	}

	/** As the generator does it: a letter is upper case after anything but a letter. */
	private static String camelCase(String field) {
		StringBuilder name = new StringBuilder(field.length());
		boolean upper = true;
		for (char next : field.toCharArray()) {
			if (next == '_') {
				upper = true;
			}
			else {
				name.append(upper ? Character.toUpperCase(next) : next);
				upper = Character.isDigit(next);
			}
		}
		return name.toString();
	}

	private static String snakeCase(String property) {
		return property.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
	}

}
