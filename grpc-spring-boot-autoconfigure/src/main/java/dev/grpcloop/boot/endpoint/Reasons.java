package dev.grpcloop.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

import dev.grpcloop.boot.statistics.ReasonNames;

/**
 * Numbers by a reason, all of them, in their order.
 */
final class Reasons {

	private Reasons() {
	}

	static <E extends Enum<E>> Map<String, Long> count(Class<E> reasons, ToLongFunction<E> number) {
		Map<String, Long> numbers = new LinkedHashMap<>();
		for (E reason : reasons.getEnumConstants()) {
			numbers.put(ReasonNames.of(reason), number.applyAsLong(reason));
		}
		return numbers;
	}

}
