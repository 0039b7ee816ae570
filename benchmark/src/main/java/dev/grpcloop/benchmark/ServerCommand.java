package dev.grpcloop.benchmark;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server to run: its label in the report and its command line.
 *
 * @param label the name in the report
 * @param kind what it is
 * @param backend the backend of our engine
 * @param java the java command
 * @param jar this benchmark's jar, or the sample application's
 */
record ServerCommand(String label, ServerKind kind, String backend, Path java, Path jar) {

	/**
	 * Lists the servers of a run: the rival once, ours once for each backend.
	 */
	static List<ServerCommand> of(Options options) {
		List<ServerCommand> commands = new ArrayList<>();
		for (ServerKind kind : options.servers) {
			Path jar = kind.isSample() ? sampleJar(options) : ownJar();
			if (!kind.isOurs()) {
				commands.add(new ServerCommand(kind.label(), kind, "auto", options.java, jar));
				continue;
			}
			for (String backend : options.backends) {
				String label = options.backends.equals(List.of("auto")) ? kind.label() : kind.label() + "/" + backend;
				commands.add(new ServerCommand(label, kind, backend, options.java, jar));
			}
		}
		return commands;
	}

	/**
	 * Returns the command line that serves on a port of the loopback address.
	 */
	List<String> onPort(int port) {
		if (this.kind.isSample()) {
			List<String> command = new ArrayList<>(List.of(this.java.toString(), "-jar", this.jar.toString(),
					"--grpc.server.address=127.0.0.1", "--grpc.server.port=" + port,
					"--grpc.server.backend=" + this.backend, "--server.address=127.0.0.1", "--server.port=0"));
			if (this.kind == ServerKind.EVENT_LOOP) {
				command.add("--grpc.server.executor.mode=event-loop");
			}
			return command;
		}
		return List.of(this.java.toString(), "--enable-native-access=ALL-UNNAMED", "-cp", this.jar.toString(),
				BenchmarkServer.class.getName(), this.kind.label(), Integer.toString(port), this.backend);
	}

	/**
	 * The jar that this class was loaded from.
	 */
	static Path ownJar() {
		try {
			return Path.of(Benchmark.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException("The benchmark's own jar has no path", ex);
		}
	}

	private static Path sampleJar(Options options) {
		if (options.sampleJar != null) {
			return options.sampleJar.toAbsolutePath();
		}
		Path folder = ownJar().resolve("../../../sample-app/target").normalize();
		try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
			return files.filter((file) -> file.getFileName().toString().matches("sample-app-.*\\.jar"))
				.max(Comparator.naturalOrder())
				.orElseThrow(() -> new InvalidOptionException("No sample application in " + folder
						+ "; build it with 'mvn -DskipTests package', or name its jar with --sample-jar"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot list " + folder, ex);
		}
	}

}
