package dev.grpcloop.sample.monitoring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A Prometheus that scrapes one application every second, with the configuration and the
 * rules that are in {@code ops}. Needs the programs {@code prometheus} and
 * {@code promtool}.
 */
final class PrometheusServer {

	/** How long what should come up may take. */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	static final Path CONFIGURATION = Path.of("../ops/prometheus/prometheus.yml");

	private static final Path DIRECTORY = Path.of("target/prometheus").toAbsolutePath();

	private final Process process;

	private final RestClient client;

	/**
	 * Starts it.
	 * @param target the port of the application
	 */
	PrometheusServer(int target) throws IOException {
		FileSystemUtils.deleteRecursively(DIRECTORY);
		Files.createDirectories(DIRECTORY);
		String configuration = Files.readString(CONFIGURATION)
			.replace("interval: 15s", "interval: 1s")
			.replace("localhost:8080", "localhost:" + target)
			.replace("alerts.yml", AlertRule.FILE.toRealPath().toString());
		Path file = Files.writeString(DIRECTORY.resolve("prometheus.yml"), configuration);
		String address = "127.0.0.1:" + freePort();
		this.process = new ProcessBuilder("prometheus", "--config.file=" + file,
				"--storage.tsdb.path=" + DIRECTORY.resolve("data"), "--web.listen-address=" + address)
			.redirectErrorStream(true)
			.redirectOutput(DIRECTORY.resolve("log").toFile())
			.start();
		this.client = RestClient.create("http://" + address + "/api/v1");
	}

	/** Waits for the first scrape. */
	void awaitScrape() {
		// at first it does not listen, then it is not ready
		await().atMost(PATIENCE).ignoreExceptionsInstanceOf(RestClientException.class).untilAsserted(() -> {
			assertThat(this.process.isAlive()).as("Prometheus runs, see " + DIRECTORY + "/log").isTrue();
			JsonNode targets = get("/targets").get("activeTargets");
			assertThat(targets.path(0).path("health").asString("")).as(targets.toString()).isEqualTo("up");
		});
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Lets the tool of Prometheus check a file.
	 * @param what the kind of file
	 * @param file the file
	 * @return what it says
	 */
	static String check(String what, Path file) throws IOException, InterruptedException {
		Process process = new ProcessBuilder("promtool", "check", what, file.toString()).redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output;
	}

	/** The series that an expression gives now. */
	List<JsonNode> query(String expression) {
		return get("/query?query={expression}", expression).get("result").valueStream().toList();
	}

	/** The value of an expression that gives one series at most. */
	double value(String expression) {
		List<JsonNode> result = query(expression);
		assertThat(result).as(expression).hasSizeLessThan(2);
		return result.isEmpty() ? 0 : Double.parseDouble(result.get(0).get("value").get(1).asString());
	}

	/** The rules, with what became of them. */
	List<JsonNode> rules() {
		return get("/rules").get("groups").valueStream().flatMap((group) -> group.get("rules").valueStream()).toList();
	}

	/** What the last scrape failed with, empty if it did not. */
	String scrapeError() {
		return get("/targets").get("activeTargets").get(0).get("lastError").asString();
	}

	private JsonNode get(String path, Object... variables) {
		JsonNode answer = this.client.get().uri(path, variables).retrieve().body(JsonNode.class);
		assertThat(answer).isNotNull();
		assertThat(answer.get("status").asString()).isEqualTo("success");
		return answer.get("data");
	}

	void stop() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
