package dev.grpcloop.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged sample application in a process of its own, on free ports.
 */
final class SampleProcess implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	private static final long TIMEOUT_SECONDS = 60;

	private final Process process;

	private final List<Integer> ports = new ArrayList<>();

	private final CompletableFuture<List<Integer>> started = new CompletableFuture<>();

	SampleProcess(String... arguments) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		Path jar = Path.of("..", "sample-app", "target", "sample-app-" + System.getProperty("sample.version") + ".jar");
		assertThat(jar).as("the packaged sample application; these tests run after the phase package").isRegularFile();
		List<String> command = Stream.concat(Stream.of(java.toString(), "-XX:TieredStopAtLevel=1", "-jar",
				jar.toString(), "--server.port=0", "--grpc.server.port=0"), Stream.of(arguments))
			.toList();
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		Thread reader = new Thread(this::read, "output of the sample");
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		List<String> lines = new ArrayList<>();
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			String line;
			while ((line = output.readLine()) != null) {
				lines.add(line);
				Matcher port = PORT.matcher(line);
				if (port.find()) {
					this.ports.add(Integer.valueOf(port.group(1)));
				}
				if (line.contains("Started SampleApplication")) {
					this.started.complete(this.ports);
				}
			}
		}
		catch (IOException ex) {
			lines.add(ex.toString());
		}
		this.started.completeExceptionally(new IllegalStateException(String.join("\n", lines)));
	}

	/**
	 * Waits for the start.
	 * @return where the application serves HTTP, or where its actuator does if that is
	 * another port
	 */
	String url() throws Exception {
		List<Integer> found = this.started.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		return "http://localhost:" + found.get(found.size() - 1);
	}

	String get(String path) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path)).build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
			this.process.destroyForcibly();
		}
	}

}
