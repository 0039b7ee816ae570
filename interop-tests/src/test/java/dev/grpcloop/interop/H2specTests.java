package dev.grpcloop.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/**
 * All cases of h2spec, none excluded; one that h2spec skips has failed, since it skips
 * what it cannot judge.
 */
class H2specTests {

	private static final int CASES = 146;

	@TempDir
	Path directory;

	@TestFactory
	Stream<DynamicTest> passesWithServiceCodeOnTheLoop() throws IOException, InterruptedException {
		return passes(Mode.ON_THE_LOOP);
	}

	@TestFactory
	Stream<DynamicTest> passesWithServiceCodeOffTheLoop() throws IOException, InterruptedException {
		return passes(Mode.OFF_THE_LOOP);
	}

	private Stream<DynamicTest> passes(Mode mode) throws IOException, InterruptedException {
		List<H2spec.Case> cases = run(mode);
		return Stream.concat(
				Stream.of(dynamicTest("there are " + CASES + " cases", () -> assertThat(cases).hasSize(CASES))),
				cases.stream().map((test) -> dynamicTest(test.section() + " " + test.description(), test::verify)));
	}

	private List<H2spec.Case> run(Mode mode) throws IOException, InterruptedException {
		H2spec h2spec = new H2spec(this.directory);
		InteropServer server = new InteropServer(mode, UnaryOperator.identity());
		try {
			return h2spec.run(server.port());
		}
		finally {
			server.stop();
		}
	}

}
