package dev.grpcloop.engine.http2;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of random interleavings of the event loop with the threads of an executor and
 * of the services: frames, posts, flushes, rejections, closes, shutdowns. Whatever the
 * order, each call that was started has exactly one end and its callbacks one after the
 * other; no buffer is touched after its release or kept; nothing that was written waits
 * for a flush that does not come; no stream is stuck (cases B24, B28).
 * <p>
 * A failure names the seed and the step. To look at one, run {@link SteppedScript} with
 * its seed alone.
 */
class SteppedSchedulerTests {

	private static final int SEEDS = 1500;

	private static final int STEPS = 80;

	@ParameterizedTest(name = "off loop: {0}")
	@ValueSource(booleans = { false, true })
	void everyInterleavingEndsEveryCallOnce(boolean offLoop) {
		for (long seed = 0; seed < SEEDS; seed++) {
			new SteppedScript(seed, offLoop).run(STEPS);
		}
	}

}
