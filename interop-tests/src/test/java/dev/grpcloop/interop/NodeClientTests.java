package dev.grpcloop.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * grpc-js, the client of another language and another HTTP/2. What it does is in
 * {@code node/cases.js}.
 */
@Tag("foreign-client")
class NodeClientTests {

	private static final Path DIRECTORY = Path.of("node");

	private static final Map<Mode, InteropServer> servers = new EnumMap<>(Mode.class);

	private static final ClientProcess client = new ClientProcess(DIRECTORY, List.of("node", "client.js"));

	@BeforeAll
	static void start() throws IOException {
		for (Mode mode : Mode.values()) {
			servers.put(mode, new InteropServer(mode, UnaryOperator.identity()));
		}
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.stop();
		for (InteropServer server : servers.values()) {
			server.stop();
		}
	}

	static Stream<Arguments> everyCaseInBothModes() throws IOException, InterruptedException {
		Process process = new ProcessBuilder("node", "client.js", "--list").directory(DIRECTORY.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<String> cases = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
			.toList();
		assertThat(process.waitFor()).as("the exit code of the list of cases").isZero();
		return cases.stream()
			.flatMap((testCase) -> Arrays.stream(Mode.values()).map((mode) -> Arguments.of(testCase, mode)));
	}

	@ParameterizedTest
	@MethodSource("everyCaseInBothModes")
	void passes(String testCase, Mode mode) throws Exception {
		client.run(testCase + " " + servers.get(mode).port());
	}

}
