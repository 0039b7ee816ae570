package dev.grpcloop.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Numbers by a reason, all of them, in their order.
 */
final class Reasons {

	private Reasons() {
	}

	static <E extends Enum<E>> Map<String, Long> count(Class<E> reasons, ToLongFunction<E> number) {
		Map<String, Long> numbers = new LinkedHashMap<>();
		for (E reason : reasons.getEnumConstants()) {
			numbers.put(name(reason), number.applyAsLong(reason));
		}
		return numbers;
	}

	/**
	 * Returns a constant as it is shown.
	 * @param constant the constant
	 * @return in lower case, with dashes
	 */
	static String name(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
