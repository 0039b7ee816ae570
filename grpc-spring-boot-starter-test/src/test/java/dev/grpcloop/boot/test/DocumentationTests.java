package dev.grpcloop.boot.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/testing.md} shows, against what the sample application runs.
 */
class DocumentationTests {

	private static final Pattern EXAMPLE = Pattern.compile("```java\n(.+?)```", Pattern.DOTALL);

	@Test
	void everyExampleIsATestOfTheSampleApplication() throws IOException {
		String document = Files.readString(Path.of("../docs/testing.md"));
		List<String> examples = EXAMPLE.matcher(document).results().map((match) -> match.group(1)).toList();
		List<String> tests = sources(Path.of("../sample-app/src/test/java"));
		assertThat(examples).isNotEmpty()
			.allSatisfy((example) -> assertThat(tests).anySatisfy((test) -> assertThat(test).endsWith(example)));
	}

	private static List<String> sources(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith("Tests.java"))
				.map(DocumentationTests::read)
				.toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(file + " cannot be read", ex);
		}
	}

}
