package dev.grpcloop.boot.keys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Keys that nobody reads, and which were probably meant.
 *
 * @param known the keys that are read, by prefix
 */
record NearMisses(List<KnownKeys> known) {

	/** More keys than these with the same ending are no help. */
	private static final int MOST = 3;

	/**
	 * Looks for keys that nobody reads.
	 * @param keys what the application has written
	 * @param others keys that have a meaning of their own
	 * @return one line for each, once
	 */
	List<String> in(List<SetKey> keys, Predicate<SetKey> others) {
		Map<String, String> lines = new LinkedHashMap<>();
		for (SetKey key : keys) {
			for (KnownKeys candidates : this.known) {
				String line = (lines.containsKey(key.uniform()) || others.test(key)) ? null : line(key, candidates);
				if (line != null) {
					lines.put(key.uniform(), key + ": " + line);
				}
			}
		}
		return List.copyOf(lines.values());
	}

	private @Nullable String line(SetKey key, KnownKeys candidates) {
		if (candidates.isEmpty()) {
			return null;
		}
		if (key.uniform().startsWith(candidates.prefix())) {
			String tail = key.uniform().substring(candidates.prefix().length());
			// a key under the other prefix is spelled right; it is told elsewhere
			if (this.known.stream().anyMatch((any) -> any.contains(tail))
					|| candidates.isGroup(tail) && key.isEmpty()) {
				return null;
			}
			List<String> meant = meant(tail, candidates);
			return meant.isEmpty() ? "no property is like it" : "did you mean " + String.join(" or ", meant) + "?";
		}
		String tail = tailAfterNearPrefix(key.uniform(), candidates.prefix());
		if (tail == null) {
			return null;
		}
		List<String> meant = candidates.contains(tail) ? List.of(candidates.canonical(tail))
				: closest(tail, candidates.tails()).map(candidates::canonical).toList();
		return meant.isEmpty() ? null : "did you mean " + String.join(" or ", meant) + "?";
	}

	/**
	 * Cuts off a prefix that is spelled almost right: each element begins with the right
	 * letter and has at most one slip.
	 */
	private static @Nullable String tailAfterNearPrefix(String uniform, String prefix) {
		String[] wanted = prefix.split("\\.");
		String[] elements = uniform.split("\\.", wanted.length + 1);
		if (elements.length <= wanted.length) {
			return null;
		}
		for (int index = 0; index < wanted.length; index++) {
			String element = elements[index];
			if (element.isEmpty() || element.charAt(0) != wanted[index].charAt(0)
					|| Spelling.distance(element, wanted[index]) > 1) {
				return null;
			}
		}
		return elements[wanted.length];
	}

	private List<String> meant(String tail, KnownKeys candidates) {
		if (candidates.isGroup(tail)) {
			return candidates.contains(tail + ".enabled") ? List.of(candidates.canonical(tail + ".enabled"))
					: List.of("a key below it");
		}
		for (KnownKeys any : inOrder(candidates)) {
			List<String> close = closest(tail, any.tails()).map(any::canonical).toList();
			if (!close.isEmpty()) {
				return close;
			}
		}
		for (KnownKeys any : inOrder(candidates)) {
			List<String> similar = similar(tail, any);
			if (!similar.isEmpty()) {
				return similar;
			}
		}
		return List.of();
	}

	private List<KnownKeys> inOrder(KnownKeys first) {
		return Stream.concat(Stream.of(first), this.known.stream().filter((other) -> other != first)).toList();
	}

	/** Those with the fewest slips, if they are few for the length of the key. */
	private static Stream<String> closest(String tail, Collection<String> candidates) {
		int most = (tail.length() < 6) ? 1 : (tail.length() < 15) ? 2 : 3;
		Map<String, Integer> distances = new LinkedHashMap<>();
		candidates.forEach((candidate) -> distances.put(candidate, Spelling.distance(tail, candidate)));
		int least = distances.isEmpty() ? Integer.MAX_VALUE : Collections.min(distances.values());
		return candidates.stream().filter((candidate) -> least <= most && distances.get(candidate) == least);
	}

	/**
	 * Those that begin as the key does, or end as it does: a forgotten or other group.
	 */
	private static List<String> similar(String tail, KnownKeys candidates) {
		List<String> elements = Arrays.asList(tail.split("\\."));
		List<Predicate<String>> likenesses = new ArrayList<>();
		likenesses.add((candidate) -> candidate.startsWith(tail));
		for (int from = 0; from < elements.size(); from++) {
			String ending = "." + String.join(".", elements.subList(from, elements.size()));
			likenesses.add((candidate) -> candidate.endsWith(ending));
		}
		for (Predicate<String> likeness : likenesses) {
			List<String> alike = candidates.tails().stream().filter(likeness).map(candidates::canonical).toList();
			if (!alike.isEmpty()) {
				return (alike.size() <= MOST) ? alike : List.of();
			}
		}
		return List.of();
	}

}
