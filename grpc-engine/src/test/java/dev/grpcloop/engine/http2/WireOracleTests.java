package dev.grpcloop.engine.http2;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every byte that the server writes goes through an independent strict decoder while a
 * seeded script changes the peer's settings, opens and shrinks windows, resets, breaks
 * and half-closes streams, and the services throw, abort, send much and little. Every
 * stream is byte for byte what its service sent, with the status it has to have.
 * <p>
 * A failure names the seed and the step. To look at one, run {@link OracleScript} with
 * its seed alone.
 */
class WireOracleTests {

	private static final int SEEDS = 150;

	private static final int STEPS = 200;

	@ParameterizedTest(name = "off loop: {0}")
	@ValueSource(booleans = { false, true })
	void everyStreamIsWhatItsServiceSent(boolean offLoop) {
		for (long seed = 0; seed < SEEDS; seed++) {
			new OracleScript(seed, offLoop).run(STEPS);
		}
	}

}
