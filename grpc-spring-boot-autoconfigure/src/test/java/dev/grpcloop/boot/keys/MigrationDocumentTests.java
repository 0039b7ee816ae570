package dev.grpcloop.boot.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether the tables of properties in {@code docs/migration.md} say what the log says.
 * With {@code -Ddocs.update} they are written.
 */
@BesideSpringBoot
class MigrationDocumentTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "migration.md");

	private static final Pattern TABLE = Pattern.compile("<!-- properties: (\\S+) -->\n(.*?)<!-- end -->",
			Pattern.DOTALL);

	/** Properties that are to come; the document says what that means. */
	private static final Set<String> NOT_YET = Set.of("inprocess.name");

	private final ClassLoader classLoader = getClass().getClassLoader();

	private final KnownKeys ours = KnownKeys.of("grpc.server.", KeyCheck.class.getName(), this.classLoader);

	private final KnownKeys springBoots = KnownKeys.everywhere("spring.grpc.server.", this.classLoader);

	@Test
	void theTablesAreCurrent() throws IOException {
		String document = Files.readString(DOCUMENT);
		String current = TABLE.matcher(document)
			.replaceAll((table) -> Matcher.quoteReplacement(
					"<!-- properties: %s -->\n%s<!-- end -->".formatted(table.group(1), table(table.group(1)))));
		if (System.getProperty("docs.update") != null) {
			Files.writeString(DOCUMENT, current);
		}
		assertThat(Files.readString(DOCUMENT)).as("""
				docs/migration.md is out of date. In the root of the repository, run
				mvn -pl grpc-spring-boot-autoconfigure -am test -Dtest=MigrationDocumentTests -Ddocs.update \
				-Dsurefire.failIfNoSpecifiedTests=false""").isEqualTo(current);
	}

	@Test
	void everyStarterHasATable() throws IOException {
		assertThat(TABLE.matcher(Files.readString(DOCUMENT)).results().map((table) -> table.group(1)))
			.containsExactlyInAnyOrder("spring-boot", "spring-grpc", "net.devh", "lognet");
	}

	@ParameterizedTest
	@MethodSource("formerKeys")
	void whatToWriteInsteadIsAProperty(FormerKey key) {
		assertThat(key.replacements()).as(key.name())
			.allMatch((name) -> isThere(Spelling.uniform(name).substring("grpc.server.".length())));
		assertThat(this.ours.has(Spelling.uniform(key.name()))).as(key.name() + " is a former key").isFalse();
	}

	@Test
	void noKeyIsThereTwice() {
		Set<String> names = new HashSet<>();
		assertThat(formerKeys()).allMatch((key) -> names.add(key.name()));
	}

	@Test
	void everyKeyOfSpringBootsHasItsPlace() {
		List<FormerKey> special = FormerKeys.SPRING_BOOT;
		assertThat(this.springBoots.tails()).isNotEmpty()
			.allMatch((tail) -> isThere(tail) || special.stream()
				.anyMatch((key) -> Spelling.uniform(key.name()).equals("spring.grpc.server." + tail)));
		assertThat(special).allMatch((key) -> this.springBoots.has(Spelling.uniform(key.name())));
	}

	private boolean isThere(String tail) {
		return this.ours.contains(tail) || NOT_YET.contains(tail);
	}

	static Stream<FormerKey> formerKeys() {
		return Stream
			.of(FormerKeys.NET_DEVH, FormerKeys.NET_DEVH_TLS, FormerKeys.LOGNET, FormerKeys.LOGNET_TLS,
					FormerKeys.SPRING_GRPC, FormerKeys.SPRING_BOOT)
			.flatMap(List::stream);
	}

	private String table(String starter) {
		List<FormerKey> keys = switch (starter) {
			case "spring-boot" -> springBoot();
			case "spring-grpc" -> FormerKeys.SPRING_GRPC;
			case "net.devh" -> both(FormerKeys.NET_DEVH, FormerKeys.NET_DEVH_TLS);
			case "lognet" -> both(FormerKeys.LOGNET, FormerKeys.LOGNET_TLS);
			default -> throw new IllegalArgumentException(starter);
		};
		return keys.stream()
			.map((key) -> "| `%s` | %s | %s |\n".formatted(key.name(), now(key), key.remark()))
			.collect(Collectors.joining("", "| before | now | remark |\n|---|---|---|\n", ""));
	}

	private List<FormerKey> springBoot() {
		List<FormerKey> keys = new ArrayList<>();
		for (String tail : this.springBoots.tails()) {
			String name = this.springBoots.canonical(tail);
			keys.add(FormerKeys.SPRING_BOOT.stream()
				.filter((key) -> key.name().equals(name))
				.findFirst()
				.orElseGet(() -> new FormerKey(name, List.of(name.substring("spring.".length())), "")));
		}
		return keys;
	}

	private static List<FormerKey> both(List<FormerKey> one, List<FormerKey> other) {
		return Stream.concat(one.stream(), other.stream()).toList();
	}

	private static String now(FormerKey key) {
		return key.replacements().isEmpty() ? "none"
				: key.replacements().stream().map((name) -> "`" + name + "`").collect(Collectors.joining(", "));
	}

}
