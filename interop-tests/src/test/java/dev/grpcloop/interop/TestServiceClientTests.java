package dev.grpcloop.interop;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.grpc.testing.integration.AbstractInteropTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * grpc-java's interoperability client, with the versions it was released with, in a
 * virtual machine of its own. Which of its cases are left out, and why, is in
 * {@code docs/protocol.md}.
 */
class TestServiceClientTests {

	private static final List<String> CASES = List.of("empty_unary", "large_unary", "client_compressed_unary_noprobe",
			"server_compressed_unary", "client_streaming", "client_compressed_streaming_noprobe", "server_streaming",
			"server_compressed_streaming", "ping_pong", "empty_stream", "custom_metadata", "status_code_and_message",
			"special_status_message", "unimplemented_method", "unimplemented_service", "cancel_after_begin",
			"cancel_after_first_response", "timeout_on_sleeping_server", "very_large_request", "pick_first_unary",
			"rpc_soak", "channel_soak");

	/** The default allows a call 1 s, which a busy machine may need. */
	private static final String SOAK = " --soak_iterations=50 --soak_per_iteration_max_acceptable_latency_ms=20000"
			+ " --soak_overall_timeout_seconds=60";

	private static final Path CLASS_PATH = Path.of("client", "target", "class-path");

	private static final Map<Mode, InteropServer> servers = new EnumMap<>(Mode.class);

	private static ClientProcess client;

	@BeforeAll
	static void start() throws IOException {
		assertThat(CLASS_PATH).as("the class path of the client, which 'mvn -pl interop-tests -am test' makes")
			.isDirectory();
		for (Mode mode : Mode.values()) {
			servers.put(mode, new InteropServer(mode,
					(builder) -> builder.maxInboundMessageSize(AbstractInteropTest.MAX_MESSAGE_SIZE)));
		}
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		Path tests = Path.of("target", "test-classes");
		client = new ClientProcess(Path.of(""), List.of(java, "-Xmx512m", "-cp",
				CLASS_PATH + File.separator + "*" + File.pathSeparator + tests, TestServiceClientMain.class.getName()));
	}

	@AfterAll
	static void stop() throws InterruptedException {
		client.stop();
		for (InteropServer server : servers.values()) {
			server.stop();
		}
	}

	static Stream<Arguments> everyCaseInBothModes() {
		return CASES.stream()
			.flatMap((testCase) -> Arrays.stream(Mode.values()).map((mode) -> Arguments.of(testCase, mode)));
	}

	@ParameterizedTest
	@MethodSource("everyCaseInBothModes")
	void passes(String testCase, Mode mode) throws Exception {
		client.run("--use_tls=false --server_host=127.0.0.1 --server_port=" + servers.get(mode).port() + " --test_case="
				+ testCase + (testCase.endsWith("_soak") ? SOAK : ""));
	}

}
