package dev.grpcloop.boot.testsupport;

import java.util.List;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads of servers and their executors.
 */
public final class ServerThreads {

	private ServerThreads() {
	}

	public static List<String> names() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("grpc-loop") || name.startsWith("grpc-server")
					|| name.startsWith("grpc-call"))
			.sorted()
			.toList();
	}

	/**
	 * Waits until none is left: a thread that has said that it ends is still seen for a
	 * moment.
	 */
	public static void awaitNone() {
		Awaitility.await().untilAsserted(() -> assertThat(names()).isEmpty());
	}

}
