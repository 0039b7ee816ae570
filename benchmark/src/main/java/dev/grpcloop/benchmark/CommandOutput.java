package dev.grpcloop.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Runs small commands that tell about the machine.
 */
final class CommandOutput {

	private CommandOutput() {
	}

	/**
	 * Returns the first line that a command prints, to either stream.
	 * @throws IOException if there is no such command
	 */
	static String firstLine(String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return output.lines().findFirst().orElse("").strip();
	}

}
