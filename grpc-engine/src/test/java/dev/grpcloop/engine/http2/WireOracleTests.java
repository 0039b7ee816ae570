package dev.grpcloop.engine.http2;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

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

	@Test
	void aTableThatIsRaisedAgainIsUsedAgain() {
		try (ScriptedPeer peer = ScriptedPeer.of(new ScriptedService()).connected()) {
			peer.servesACall(1).servesACall(3);
			assertThat(lastBlocks(peer)).containsExactly(3, 1);
			peer.settings(0x1, 0).servesACall(5).servesACall(7);
			assertThat(lastBlocks(peer)).as("literals").allMatch((length) -> length > 10);
			peer.settings(0x1, 4096).servesACall(9).servesACall(11);
			assertThat(lastBlocks(peer)).containsExactly(3, 1);
		}
	}

	/**
	 * The lengths of the last response headers and trailers.
	 */
	private static List<Integer> lastBlocks(ScriptedPeer peer) {
		List<Integer> lengths = peer.oracle.frames()
			.stream()
			.filter((frame) -> frame.startsWith("HEADERS"))
			.map((frame) -> Integer.valueOf(frame.substring(frame.indexOf("length=") + 7)))
			.toList();
		return lengths.subList(lengths.size() - 2, lengths.size());
	}

	@ParameterizedTest(name = "off loop: {0}")
	@ValueSource(booleans = { false, true })
	void everyStreamIsWhatItsServiceSent(boolean offLoop) {
		for (long seed = 0; seed < SEEDS; seed++) {
			new OracleScript(seed, offLoop).run(STEPS);
		}
	}

}
