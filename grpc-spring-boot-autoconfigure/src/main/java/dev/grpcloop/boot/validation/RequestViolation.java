package dev.grpcloop.boot.validation;

import java.util.Locale;

import org.springframework.util.StringUtils;

/**
 * What is wrong with a request, in the words of {@code google.rpc.BadRequest}.
 *
 * @param field path to the field, in names of the {@code .proto} file, such as
 * {@code items[2].unit_price}; empty if it is the message as a whole
 * @param description what the field must be, for clients
 * @param reason the violated rule in upper case with underscores, such as
 * {@code STRING_MIN_LEN}; empty if it has no name
 */
record RequestViolation(String field, String description, String reason) {

	private static final int MAX_REASON = 63;

	/**
	 * Makes a reason of a name.
	 * @param name such as {@code string.min_len} or {@code NotBlank}
	 * @return the reason, or an empty string if there is nothing to make it of
	 */
	static String reason(String name) {
		String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
			.replaceAll("[^A-Za-z0-9]+", "_")
			.replaceAll("^[^A-Za-z]+", "");
		String reason = StringUtils.trimTrailingCharacter(words.substring(0, Math.min(MAX_REASON, words.length())),
				'_');
		return reason.toUpperCase(Locale.ROOT);
	}

}
