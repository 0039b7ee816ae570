package dev.grpcloop.boot.executor;

import java.util.concurrent.Executor;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * A virtual thread per call.
 */
final class VirtualThreads {

	private VirtualThreads() {
	}

	static Executor executor(String namePrefix) {
		return new VirtualThreadTaskExecutor(namePrefix);
	}

}
