package dev.grpcloop.engine;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads that servers have made.
 */
final class EngineThreads {

	private EngineThreads() {
	}

	static List<String> names() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("grpc-loop") || name.startsWith("grpc-call"))
			.toList();
	}

	/**
	 * Waits until none is left: a thread that has ended its work takes a moment to go.
	 */
	static void assertNoneLeft() {
		Eventually.asserted(() -> assertThat(names()).isEmpty());
	}

}
