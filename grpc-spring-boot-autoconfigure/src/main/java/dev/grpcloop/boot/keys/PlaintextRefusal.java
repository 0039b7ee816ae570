package dev.grpcloop.boot.keys;

import java.util.List;
import java.util.Optional;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * Stops the start where keys of another starter ask for TLS. Without that the server
 * would serve in plaintext what was protected before.
 *
 * @param keys the keys of TLS that the other starter has
 * @param enabled the one of them that switches all of it off with {@code false}, or
 * {@code null} if none does
 */
record PlaintextRefusal(List<FormerKey> keys, Optional<String> enabled) {

	static PlaintextRefusal of(List<FormerKey> keys) {
		return new PlaintextRefusal(keys,
				keys.stream().map(FormerKey::name).filter((name) -> name.endsWith(".enabled")).findFirst());
	}

	/**
	 * Checks the keys.
	 * @param set what the application has set
	 * @throws FailureAnalyzedException if any asks for TLS
	 */
	void check(SetKeys set) {
		List<String> found = this.keys.stream().flatMap((key) -> set.find(key).stream()).toList();
		boolean off = this.enabled.flatMap(set::value).filter("false"::equalsIgnoreCase).isPresent();
		if (!found.isEmpty() && !off) {
			throw new FailureAnalyzedException(
					"TLS is asked for, and this version of the gRPC server has none: it would serve plaintext. "
							+ "The properties are:%n    %s".formatted(String.join("%n    ".formatted(), found)),
					"If something before the server takes care of TLS, such as a proxy or a service mesh, "
							+ "remove these properties. Otherwise stay with the server that you had.");
		}
	}

}
