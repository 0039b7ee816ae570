package dev.grpcloop.boot.validation;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the requests of one method. It is called by many threads.
 */
@FunctionalInterface
interface RequestValidator {

	/**
	 * Looks at a request.
	 * @param message the request
	 * @return what is wrong with it, always in the same order; empty if it is valid
	 * @throws RuntimeException if a rule cannot be applied, which is a fault of the
	 * server
	 */
	List<RequestViolation> validate(Object message);

	/**
	 * Asks two validators, the second one whatever the first one says.
	 * @param other the second one
	 * @return both
	 */
	default RequestValidator and(RequestValidator other) {
		return (message) -> {
			List<RequestViolation> violations = validate(message);
			List<RequestViolation> others = other.validate(message);
			if (violations.isEmpty() || others.isEmpty()) {
				return violations.isEmpty() ? others : violations;
			}
			List<RequestViolation> all = new ArrayList<>(violations);
			all.addAll(others);
			return all;
		};
	}

	/**
	 * Asks two validators, the second one only about what the first one takes for valid.
	 * @param other the second one
	 * @return both
	 */
	default RequestValidator then(RequestValidator other) {
		return (message) -> {
			List<RequestViolation> violations = validate(message);
			return violations.isEmpty() ? other.validate(message) : violations;
		};
	}

}
