package dev.grpcloop.boot;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.grpcloop.boot.testsupport.AllMeters;
import dev.grpcloop.boot.testsupport.MarkdownTable;
import dev.grpcloop.boot.testsupport.Metadata;
import dev.grpcloop.boot.testsupport.Metadata.Property;
import dev.grpcloop.engine.telemetry.Guard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documents say of properties and meters, against what there is.
 */
class DocumentationTests {

	private static final String PREFIX = "grpc.server.";

	/** Types of properties that set a limit. */
	private static final Set<String> LIMITS = Set.of("java.time.Duration", "java.lang.Integer", "java.lang.Long",
			"org.springframework.util.unit.DataSize");

	/** Numbers that limit nothing. */
	private static final Set<String> NO_LIMITS = Set.of("port", "workers");

	private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

	@Test
	void theReadmeListsPropertiesThatThereAre() throws IOException {
		assertThat(MarkdownTable.rows("README.md", "property")).extracting((row) -> code(row.get(0)))
			.doesNotHaveDuplicates()
			.isSubsetOf(defaults().keySet())
			.hasSizeLessThan(20);
	}

	@Test
	void theLimitsListEveryPropertyThatSetsOne() throws IOException {
		Set<String> limits = Metadata.properties()
			.stream()
			.filter((property) -> LIMITS.contains(property.type()))
			.map(Property::key)
			.filter((name) -> !NO_LIMITS.contains(name))
			.collect(Collectors.toSet());
		assertThat(Stream
			.concat(MarkdownTable.rows("docs/limits.md", "property").stream(),
					MarkdownTable.rows("docs/operations.md", "property").stream())
			.map((row) -> code(row.get(0)))).doesNotHaveDuplicates()
			.containsAll(limits)
			.isSubsetOf(defaults().keySet());
	}

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "docs/limits.md", "docs/operations.md" })
	void theDefaultsAreThoseOfTheMetadata(String document) throws IOException {
		Map<String, String> defaults = defaults();
		assertThat(MarkdownTable.rows(document, "property")).isNotEmpty().allSatisfy((row) -> {
			String real = defaults.get(code(row.get(0)));
			if (real.isEmpty()) {
				assertThat(row.get(1)).as(row.get(0)).isNotEmpty().doesNotContain("`");
			}
			else {
				assertThat(row.get(1)).as(row.get(0)).isEqualTo("`" + real + "`");
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "docs/limits.md", "docs/operations.md", "docs/errors.md", "docs/metrics.md",
			"docs/validation.md" })
	void noOtherPropertyIsNamed(String document) throws IOException {
		Set<String> known = new TreeSet<>(new AllMeters().names());
		defaults().keySet().forEach((name) -> known.add(PREFIX + name));
		List<String> named = codes(MarkdownTable.read(document))
			.filter((code) -> code.matches("grpc\\.(server|engine)\\.[a-z.-]+[a-z]"))
			.toList();
		assertThat(known).containsAll(named);
	}

	@Test
	void theReadmeListsTheMostUsefulMetersWithTheirTags() throws IOException {
		Map<String, Set<String>> documented = new TreeMap<>();
		for (List<String> row : MarkdownTable.rows("README.md", "meter")) {
			Set<String> tags = codes(row.get(2)).collect(Collectors.toCollection(TreeSet::new));
			CODE.matcher(row.get(0)).results().forEach((name) -> documented.put(name.group(1), tags));
		}
		assertThat(documented).isNotEmpty().hasSizeLessThanOrEqualTo(12);
		assertThat(new AllMeters().tags()).containsAllEntriesOf(documented);
	}

	@Test
	void theLimitsNameEveryGuard() throws IOException {
		List<String> guards = Stream.of(Guard.values())
			.map((guard) -> guard.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toList();
		assertThat(codes(MarkdownTable.read("docs/limits.md")).toList()).containsAll(guards);
	}

	private static Map<String, String> defaults() {
		return Metadata.properties()
			.stream()
			.collect(Collectors.toMap(Property::key, (property) -> Objects.toString(property.defaultValue(), "")));
	}

	private static String code(String cell) {
		assertThat(cell).matches("`[^`]+`");
		return cell.substring(1, cell.length() - 1);
	}

	private static Stream<String> codes(String text) {
		return CODE.matcher(text).results().map((MatchResult result) -> result.group(1));
	}

}
