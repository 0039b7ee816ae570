package dev.grpcloop.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether {@code docs/configuration.md} says what the metadata says. With
 * {@code -Ddocs.update} it is written.
 */
class ConfigurationDocumentTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

	@Test
	void theDocumentIsCurrent() throws IOException {
		String text = ConfigurationDocument.text();
		if (System.getProperty("docs.update") != null) {
			Files.writeString(DOCUMENT, text);
		}
		assertThat(DOCUMENT).exists();
		assertThat(Files.readString(DOCUMENT)).as("""
				docs/configuration.md is out of date. In the root of the repository, run
				mvn -pl grpc-spring-boot-autoconfigure -am test -Dtest=ConfigurationDocumentTests -Ddocs.update \
				-Dsurefire.failIfNoSpecifiedTests=false""").isEqualTo(text);
	}

}
