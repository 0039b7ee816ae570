package dev.grpcloop.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.fail;

/**
 * A client in a process of its own. Each line of its input names a test case, which it
 * runs; it prints {@link #PASSED} or {@link #FAILED} on a line of its own when the case
 * has ended, and anything else before.
 */
final class ClientProcess {

	static final String PASSED = "RESULT passed";

	static final String FAILED = "RESULT failed";

	private static final String ENDED = "The client has ended";

	private static final int TIMEOUT_SECONDS = 90;

	private final ProcessBuilder command;

	private @Nullable Process process;

	private BlockingQueue<String> output = new LinkedBlockingQueue<>();

	ClientProcess(Path directory, List<String> command) {
		this.command = new ProcessBuilder(command).directory(directory.toAbsolutePath().toFile())
			.redirectErrorStream(true);
	}

	/**
	 * Runs a test case, and fails with all that the client has printed if it fails. A
	 * client that has not ended the case in time is replaced for the next.
	 */
	void run(String testCase) throws IOException, InterruptedException {
		Writer input = runningProcess().outputWriter(StandardCharsets.UTF_8);
		input.write(testCase + "\n");
		input.flush();
		List<String> printed = new ArrayList<>();
		String line;
		while (!PASSED.equals(line = this.output.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS))) {
			if (line == null || line.equals(ENDED)) {
				stop();
				printed.add((line != null) ? line : "No result after " + TIMEOUT_SECONDS + " s");
			}
			if (line == null || line.equals(ENDED) || line.equals(FAILED)) {
				fail("%s failed. The client printed:%n%s", testCase, String.join("\n", printed));
			}
			printed.add(line);
		}
	}

	private Process runningProcess() throws IOException {
		if (this.process == null) {
			Process started = this.command.start();
			BlockingQueue<String> lines = new LinkedBlockingQueue<>();
			Thread reader = new Thread(() -> read(started, lines), "client output");
			reader.setDaemon(true);
			reader.start();
			this.output = lines;
			this.process = started;
		}
		return this.process;
	}

	private static void read(Process process, BlockingQueue<String> lines) {
		try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
			String line;
			while ((line = reader.readLine()) != null) {
				lines.add(line);
			}
		}
		catch (IOException ex) {
			lines.add(ex.toString());
		}
		lines.add(ENDED);
	}

	void stop() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
			this.process = null;
		}
	}

}
