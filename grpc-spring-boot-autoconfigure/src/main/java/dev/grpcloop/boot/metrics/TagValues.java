package dev.grpcloop.boot.metrics;

import java.util.Locale;

/**
 * How the values of enums are written in tags.
 */
final class TagValues {

	private TagValues() {
	}

	/**
	 * Returns the value of a tag.
	 * @param value what it says
	 * @return its name in lower case, with hyphens
	 */
	static String of(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
