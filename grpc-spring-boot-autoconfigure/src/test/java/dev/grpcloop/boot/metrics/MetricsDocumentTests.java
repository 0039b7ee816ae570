package dev.grpcloop.boot.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.grpcloop.boot.testsupport.AllMeters;
import dev.grpcloop.boot.testsupport.MarkdownTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether {@code docs/metrics.md} says what the meters say. With {@code -Ddocs.update} it
 * is written, but for the last cell of each row.
 */
class MetricsDocumentTests {

	private static final String DOCUMENT = "docs/metrics.md";

	@Test
	void theDocumentIsCurrent() throws IOException {
		Path path = Path.of("..", DOCUMENT);
		String text = new MetricsDocument().update(Files.readString(path));
		if (System.getProperty("docs.update") != null) {
			Files.writeString(path, text);
		}
		assertThat(Files.readString(path)).as("""
				docs/metrics.md is out of date. In the root of the repository, run
				mvn -pl grpc-spring-boot-autoconfigure -am test -Dtest=MetricsDocumentTests -Ddocs.update \
				-Dsurefire.failIfNoSpecifiedTests=false""").isEqualTo(text);
	}

	@Test
	void everyMeterHasARowThatSaysWhatToDo() throws IOException {
		assertThat(MarkdownTable.rows(DOCUMENT, "meter")).extracting((row) -> row.get(0).replace("`", ""))
			.containsExactlyInAnyOrderElementsOf(new AllMeters().names());
		assertThat(MarkdownTable.rows(DOCUMENT, "meter"))
			.allSatisfy((row) -> assertThat(row.get(row.size() - 1)).as(row.get(0)).hasSizeGreaterThan(10));
	}

}
