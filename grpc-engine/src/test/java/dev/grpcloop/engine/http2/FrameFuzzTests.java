package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends what nobody has thought of: see {@link FuzzScript}. A failure names the seed, the
 * kind and where services ran; to look at one, run the script with these alone.
 * <p>
 * The same seeds are run each time. With {@code -Dfuzz.minutes=60} it goes on for that
 * long, beginning with {@code -Dfuzz.seed} or a seed that nobody has seen.
 */
class FrameFuzzTests {

	private static final int SEEDS = 200;

	private static final Long minutes = Long.getLong("fuzz.minutes");

	@ParameterizedTest
	@EnumSource
	void survivesWhateverComes(FuzzScript.Kind kind) {
		long first = Long.getLong("fuzz.seed", (minutes != null) ? System.currentTimeMillis() : 0);
		long begin = System.nanoTime();
		long conversations = 0;
		long probed = 0;
		for (long seed = first; goesOn(seed - first, begin); seed++) {
			for (boolean offLoop : new boolean[] { false, true }) {
				conversations++;
				probed += new FuzzScript(seed, kind, offLoop).run() ? 1 : 0;
			}
		}
		assertThat(probed).as("of %d conversations, how many a normal call followed", conversations)
			.isBetween(kind.keepsConnection() ? conversations : conversations / 20, conversations);
	}

	/**
	 * Seeds that have found something, in the engine or in one that was broken on
	 * purpose. They mean what they say as long as the generator is not changed.
	 */
	@ParameterizedTest(name = "{3}: {0}, seed {1}, off loop {2}")
	@CsvFileSource(resources = "/fuzz/seeds.csv", numLinesToSkip = 1)
	void survivesWhatWasFoundBefore(FuzzScript.Kind kind, long seed, boolean offLoop, String about) {
		new FuzzScript(seed, kind, offLoop).run();
	}

	private static boolean goesOn(long count, long begin) {
		if (minutes == null) {
			return count < SEEDS;
		}
		return System.nanoTime() - begin < TimeUnit.MINUTES.toNanos(minutes) / FuzzScript.Kind.values().length;
	}

}
