package dev.grpcloop.benchmark;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Every process that the benchmark started. None outlives it, also when it is
 * interrupted.
 */
final class ChildProcesses implements AutoCloseable {

	private static final long GRACE_SECONDS = 10;

	private final Set<Process> running = ConcurrentHashMap.newKeySet();

	ChildProcesses() {
		Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-child-processes"));
	}

	Process start(ProcessBuilder builder) throws IOException {
		Process process = builder.start();
		this.running.add(process);
		process.onExit().thenAccept(this.running::remove);
		return process;
	}

	/**
	 * Ends what still runs: asks first, then forces.
	 */
	@Override
	public void close() {
		this.running.forEach(Process::destroy);
		for (Process process : this.running) {
			try {
				if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
					process.destroyForcibly();
				}
			}
			catch (InterruptedException ex) {
				process.destroyForcibly();
				Thread.currentThread().interrupt();
			}
		}
	}

}
