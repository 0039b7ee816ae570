package dev.grpcloop.boot.testsupport;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Java virtual machine of its own with the class path of the tests. What it prints is
 * read line by line; what it is to do is told on its input.
 */
public final class ChildProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Process process;

	private ChildProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "output of a child process");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a program.
	 * @param program the class with its main method
	 * @param options options of the virtual machine
	 * @param arguments arguments of the program
	 * @param classPath folders before the class path of the tests
	 * @return the running process
	 */
	public static ChildProcess start(Class<?> program, List<String> options, List<String> arguments,
			Path... classPath) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		command.addAll(options);
		StringBuilder path = new StringBuilder();
		for (Path folder : classPath) {
			path.append(folder).append(File.pathSeparatorChar);
		}
		command.addAll(List.of("-cp", path + System.getProperty("java.class.path"), program.getName()));
		command.addAll(arguments);
		try {
			return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new IllegalStateException("No child process", ex);
		}
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			reader.lines().forEach(this.lines::add);
		}
		catch (IOException ex) {
			this.lines.add(ex.toString());
		}
	}

	/**
	 * Waits for lines that begin with a word.
	 * @param word the word
	 * @param count how many there must be
	 * @return what follows the word on the last of them
	 */
	public String await(String word, int count) {
		Predicate<String> wanted = (line) -> line.equals(word) || line.startsWith(word + " ");
		Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
			if (this.lines.stream().filter(wanted).count() < count) {
				assertThat(this.process.isAlive()).as(this::output).isTrue();
				throw new AssertionError("No line " + word + " in\n" + output());
			}
		});
		String line = this.lines.stream().filter(wanted).skip(count - 1).findFirst().orElseThrow();
		return line.substring(Math.min(line.length(), word.length() + 1));
	}

	public String await(String word) {
		return await(word, 1);
	}

	public void tell(String line) {
		try {
			Writer input = this.process.outputWriter(StandardCharsets.UTF_8);
			input.write(line + "\n");
			input.flush();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The child does not listen; it has printed\n" + output(), ex);
		}
	}

	/** Sends SIGTERM, and unlike {@link Process#destroy()} goes on reading. */
	public void terminate() {
		this.process.toHandle().destroy();
	}

	public long pid() {
		return this.process.pid();
	}

	public int exitCode() throws InterruptedException {
		assertThat(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(this::output).isTrue();
		return this.process.exitValue();
	}

	public String output() {
		return String.join("\n", this.lines);
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

}
