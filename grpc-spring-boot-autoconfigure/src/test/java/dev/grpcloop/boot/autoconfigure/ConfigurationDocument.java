package dev.grpcloop.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.grpcloop.boot.testsupport.Metadata;
import dev.grpcloop.boot.testsupport.Metadata.Property;

/**
 * The text of {@code docs/configuration.md}: the metadata and the words of
 * {@link AllowedValues}.
 */
final class ConfigurationDocument {

	private static final String INTRODUCTION = """
			# Configuration

			<!-- Generated from the configuration metadata; ConfigurationDocumentTests says how. -->

			Every property of the server. [README.md](../README.md) has those that most applications need, \
			[limits.md](limits.md)
			what happens at each limit, [operations.md](operations.md) health and shutdown, [migration.md](migration.md) the
			names that other starters have for them.

			- A value that is not allowed stops the start; the message names the property, the value, where it was set and
			  what is allowed. So does a value for a name that only others begin with, such as `grpc.server.executor`.
			- A key that is no property stops nothing. One warning at the start names all such keys, each with the property
			  that was probably meant. Environment variables are not searched for such keys, since other software sets them
			  too; system properties are.
			- A duration is `5s`, `250ms`, `2m`, `2h` or ISO 8601 (`PT5S`). **A number without a unit is seconds**, for each of
			  them.
			- A size is `4MB`, `8KB`, `512B`. A number without a unit is bytes; `1KB` is 1024 of them.
			- Names and the names of values may be written in the ways that Spring Boot takes: `max-age`, `maxAge`, `MAX_AGE`;
			  `event-loop`, `EVENT_LOOP`; in the environment `GRPC_SERVER_KEEPALIVE_CONNECTION_MAXAGE`. An empty text,
			  duration or size is the default; an empty number or boolean that has a default is not allowed. Of two
			  spellings of one key in the same place, one counts; write one.
			- Kubernetes sets `GRPC_SERVER_PORT=tcp://...` in the containers of a namespace that has a Service of the name
			  `grpc-server`. Give it another name, or set `enableServiceLinks: false` in the specification of the pod.
			""";

	private static final String HEADING = """

			## %s

			| property | default | type | meaning | allowed |
			|---|---|---|---|---|
			""";

	private static final Map<String, String> TYPES = Map.of("java.lang.Boolean", "boolean", "java.lang.Integer",
			"number", "java.lang.Long", "number", "java.lang.String", "text", "java.time.Duration", "duration",
			"org.springframework.util.unit.DataSize", "size");

	private ConfigurationDocument() {
	}

	static String text() {
		StringBuilder text = new StringBuilder(INTRODUCTION);
		Map<String, List<Property>> groups = Metadata.properties()
			.stream()
			.collect(Collectors.groupingBy(ConfigurationDocument::group, TreeMap::new, Collectors.toList()));
		groups.forEach((group, properties) -> {
			text.append(HEADING.formatted(group.isEmpty() ? "Server" : "`" + group + "`"));
			properties.forEach((property) -> text.append(row(property)));
		});
		return text.toString();
	}

	private static String group(Property property) {
		int dot = property.key().indexOf('.');
		return (dot < 0) ? "" : property.key().substring(0, dot);
	}

	private static String row(Property property) {
		String allowed = Objects.requireNonNullElse(AllowedValues.of(property.name()), "?");
		return "| `%s` | %s | %s | %s | %s |%n".formatted(property.name(),
				(property.defaultValue() != null) ? "`" + property.defaultValue() + "`" : "", type(property.type()),
				code(Objects.requireNonNullElse(property.description(), "?")), code(allowed));
	}

	private static String type(String type) {
		if (type.startsWith("java.util.")) {
			return type.contains("Map<") ? "map" : "list";
		}
		return TYPES.getOrDefault(type, "choice");
	}

	/**
	 * What is in quotes in an editor is code here, and the introduction has the units.
	 */
	private static String code(String text) {
		return text.replaceAll("( A|; a) number without a unit is (seconds|bytes)\\.?", "")
			.replaceAll("(?<!\\w)'([^']+)'(?!\\w)", "`$1`")
			.replace("|", "\\|")
			.replaceAll("\\s+", " ");
	}

}
