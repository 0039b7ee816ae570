package dev.grpcloop.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Drives load with nghttp2's {@code h2load}, one thread.
 */
final class H2load {

	private static final String COMMAND = "h2load";

	private static final Duration GRACE = Duration.ofSeconds(30);

	private final ChildProcesses processes;

	private final Path payload;

	private final String version;

	/**
	 * Looks for the command.
	 * @param folder where the payload is written to
	 * @param processes the processes to end with the benchmark
	 * @throws InvalidOptionException if h2load is not installed
	 */
	H2load(Path folder, ChildProcesses processes) throws IOException, InterruptedException {
		this.processes = processes;
		this.version = version();
		this.payload = folder.resolve("hello-request.bin");
		Files.write(this.payload, payload());
	}

	private static String version() throws InterruptedException {
		try {
			return CommandOutput.firstLine(COMMAND, "--version");
		}
		catch (IOException ex) {
			throw new InvalidOptionException("The load generator h2load is not installed; on Debian and Ubuntu:"
					+ " apt-get install nghttp2-client");
		}
	}

	/**
	 * The request: a {@code GreeterHelloRequest} behind its five bytes of gRPC framing.
	 */
	static byte[] payload() throws IOException {
		try (InputStream stored = H2load.class.getResourceAsStream("/hello-request.bin")) {
			if (stored == null) {
				throw new IllegalStateException("hello-request.bin is not on the class path");
			}
			return stored.readAllBytes();
		}
	}

	String getVersion() {
		return this.version;
	}

	/**
	 * The command line as a person would type it.
	 */
	String describe(Duration duration) {
		return String.join(" ", command("CLIENTS", "STREAMS", duration, "PORT"))
			.replace("te: trailers", "'te: trailers'")
			.replace("content-type: application/grpc", "'content-type: application/grpc'");
	}

	private List<String> command(Object clients, Object streams, Duration duration, Object port) {
		return List.of(COMMAND, "-t1", "-c" + clients, "-m" + streams, "-D", duration.toMillis() + "ms", "-d",
				this.payload.toString(), "-H", "te: trailers", "-H", "content-type: application/grpc",
				"http://127.0.0.1:" + port + "/helloworld.v1.Greeter/Hello");
	}

	/**
	 * Loads a server.
	 * @return what the generator reports
	 */
	H2loadReport run(LoadCase load, Duration duration, int port) throws IOException, InterruptedException {
		Path output = this.payload.resolveSibling("h2load.log");
		Process process = this.processes
			.start(new ProcessBuilder(command(load.clients(), load.streams(), duration, port)).redirectErrorStream(true)
				.redirectOutput(output.toFile()));
		if (!process.waitFor(duration.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)) {
			process.destroyForcibly();
			throw new IllegalStateException("h2load still ran " + GRACE.toSeconds() + " s after its time was over");
		}
		String text = Files.readString(output, StandardCharsets.UTF_8);
		if (process.exitValue() != 0) {
			throw new IllegalStateException("h2load ended with " + process.exitValue() + ":\n" + text);
		}
		return H2loadReport.parse(text);
	}

}
