package dev.grpcloop.boot.keys;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What to write instead of keys of other starters.
 *
 * @param keys those that do nothing here
 * @param refusals those that would be dangerous to ignore
 */
record FormerKeyReport(List<FormerKey> keys, List<PlaintextRefusal> refusals) {

	/**
	 * Chooses the keys that are former ones in this application.
	 * @param ours our keys
	 * @param springBoots those of Spring Boot's own starter; empty if it is not there
	 * @return the keys, in terms of those that are read
	 */
	static FormerKeyReport of(KnownKeys ours, KnownKeys springBoots) {
		List<FormerKey> keys = new ArrayList<>();
		List<List<FormerKey>> dangerous = List.of(FormerKeys.NET_DEVH_TLS, FormerKeys.LOGNET_TLS);
		Stream.of(FormerKeys.NET_DEVH, FormerKeys.LOGNET, FormerKeys.SPRING_GRPC).forEach(keys::addAll);
		if (springBoots.isEmpty()) {
			FormerKeys.SPRING_BOOT.forEach((key) -> {
				keys.add(key);
				keys.add(new FormerKey(key.name().substring("spring.".length()), key.replacements(), key.remark()));
			});
			ours.tails().forEach((tail) -> {
				String name = ours.canonical(tail);
				keys.add(new FormerKey("spring." + name, List.of(name), ""));
			});
		}
		dangerous.forEach(keys::addAll);
		Set<String> seen = new HashSet<>();
		return new FormerKeyReport(keys.stream().filter((key) -> {
			String uniform = Spelling.uniform(key.root());
			// some former keys differ from ours in no more than a dash
			return !ours.has(uniform) && !springBoots.has(uniform) && seen.add(uniform);
		}).map((key) -> beside(springBoots, key)).toList(), dangerous.stream().map(PlaintextRefusal::of).toList());
	}

	/** Beside Spring Boot's starter, what it has is read under its own keys. */
	private static FormerKey beside(KnownKeys springBoots, FormerKey key) {
		return new FormerKey(key.name(), key.replacements().stream().map((replacement) -> {
			String tail = Spelling.uniform(replacement).substring("grpc.server.".length());
			return springBoots.contains(tail) ? springBoots.canonical(tail) : replacement;
		}).toList(), key.remark());
	}

	/**
	 * Says what to write instead.
	 * @param set what the application has set
	 * @return one line for each former key that it has set
	 */
	List<String> lines(SetKeys set) {
		return this.keys.stream()
			.filter((key) -> !isOfTheApplication(key, set))
			.flatMap((key) -> set.find(key).map((found) -> found + ": " + key.advice()).stream())
			.toList();
	}

	/**
	 * A key such as {@code grpc.port} may be of the application's own make, for
	 * {@code grpc.server.port=${grpc.port}}.
	 */
	private static boolean isOfTheApplication(FormerKey key, SetKeys set) {
		return !key.name().contains("grpc.server.") && !key.replacements().isEmpty()
				&& set.value(key.replacements().get(0)).isPresent();
	}

	boolean knows(SetKey key) {
		return this.keys.stream().anyMatch((former) -> former.matches(key));
	}

}
