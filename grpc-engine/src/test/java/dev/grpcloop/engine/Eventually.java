package dev.grpcloop.engine;

import java.time.Duration;
import java.util.concurrent.Callable;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Waits for what another thread brings about: long enough for a machine with other work
 * to do, and looking often.
 */
final class Eventually {

	private Eventually() {
	}

	static void until(String what, Callable<Boolean> condition) {
		Awaitility.await(what)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.atMost(Duration.ofSeconds(30))
			.until(condition);
	}

	static void asserted(ThrowingRunnable assertion) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(assertion);
	}

}
