package dev.grpcloop.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * A server in a JVM of its own that has answered its first call rightly.
 *
 * @param command what was started
 * @param port the port it listens on
 * @param process its process
 * @param log the file of its output
 */
record RunningServer(ServerCommand command, int port, Process process, Path log) {

	private static final long START_SECONDS = 60;

	private static final String NAME = "grpc-client";

	/**
	 * Starts a server and waits for it.
	 * @param command the server
	 * @param port its port, or 0 for a free one
	 * @param folder where its output goes
	 * @param processes the processes to end with the benchmark
	 */
	static RunningServer start(ServerCommand command, int port, Path folder, ChildProcesses processes)
			throws IOException, InterruptedException {
		int servedPort = (port != 0) ? port : freePort();
		Path log = folder.resolve(command.label().replace('/', '-') + ".log");
		Process process = processes.start(
				new ProcessBuilder(command.onPort(servedPort)).redirectErrorStream(true).redirectOutput(log.toFile()));
		RunningServer server = new RunningServer(command, servedPort, process, log);
		server.awaitFirstAnswer();
		return server;
	}

	private void awaitFirstAnswer() throws IOException, InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
		while (true) {
			try {
				String answer = GreeterClient.hello("127.0.0.1:" + this.port, NAME);
				if (!answer.equals(BenchmarkGreeter.answer(NAME).getMessage())) {
					throw new IllegalStateException("The server " + this.command.label() + " answers '" + answer + "'");
				}
				return;
			}
			catch (StatusRuntimeException ex) {
				boolean starting = ex.getStatus().getCode() == Status.Code.UNAVAILABLE && this.process.isAlive()
						&& System.nanoTime() < end;
				if (!starting) {
					throw new IllegalStateException("The server " + this.command.label() + " does not serve on port "
							+ this.port + "; the end of its output:\n" + tail(), ex);
				}
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
	}

	private String tail() throws IOException {
		List<String> lines = Files.readAllLines(this.log);
		return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
