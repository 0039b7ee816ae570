package dev.grpcloop.engine.http2;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stream and connection credit, both ways, against arithmetic that knows nothing of the
 * engine (RFC 9113 section 6.9; cases B31, B33).
 */
class CreditLedgerTests {

	private static final int SEEDS = 100;

	private static final int STEPS = 200;

	@ParameterizedTest(name = "off loop: {0}")
	@ValueSource(booleans = { false, true })
	void theBooksAgreeAfterEveryFrame(boolean offLoop) {
		for (long seed = 0; seed < SEEDS; seed++) {
			new CreditScript(seed, offLoop).run(STEPS);
		}
	}

}
