package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.util.Version;

/**
 * Describes what a figure depends on: machine, kernel, JVMs and versions.
 */
final class Machine {

	private Machine() {
	}

	static String describe(Options options, String h2loadVersion) throws IOException, InterruptedException {
		StringBuilder text = new StringBuilder();
		line(text, "processor",
				Runtime.getRuntime().availableProcessors() + " x " + valueOf(Path.of("/proc/cpuinfo"), "model name"));
		line(text, "memory", valueOf(Path.of("/proc/meminfo"), "MemTotal"));
		line(text, "kernel", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
				+ System.getProperty("os.arch"));
		line(text, "servers' JVM", CommandOutput.firstLine(options.java.toString(), "-version"));
		line(text, "grpc-java", versionOf(NettyServerBuilder.class));
		line(text, "netty", String.valueOf(Version.identify().get("netty-transport").artifactVersion()));
		line(text, "grpcloop", versionOf(EventLoopServerBuilder.class));
		line(text, "generator", h2loadVersion);
		return text.toString();
	}

	private static void line(StringBuilder text, String name, String value) {
		text.append(String.format("%-14s%s%n", name, value));
	}

	private static String valueOf(Path file, String key) throws IOException {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(key))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse("unknown");
		}
	}

	private static String versionOf(Class<?> type) {
		String version = type.getPackage().getImplementationVersion();
		return (version != null) ? version : "unknown";
	}

}
