package dev.grpcloop.boot.statistics;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Counters}.
 */
class CountersTests {

	@Test
	void countersOfOneArrayAreIndependent() {
		Counters counters = new Counters(3);
		counters.add(0, 1);
		counters.add(2, 5);
		counters.add(2, 2);
		assertThat(counters.get(0)).isEqualTo(1);
		assertThat(counters.get(1)).isZero();
		assertThat(counters.get(2)).isEqualTo(7);
	}

	@Test
	void readersSeeWhatTheWriterHasCountedAndNeverLess() throws Exception {
		Counters counters = new Counters(1);
		int amount = 1_000_000;
		Thread writer = new Thread(() -> {
			for (int i = 0; i < amount; i++) {
				counters.add(0, 1);
			}
		});
		writer.start();
		long last = 0;
		while (writer.isAlive()) {
			long current = counters.get(0);
			assertThat(current).isGreaterThanOrEqualTo(last);
			last = current;
		}
		writer.join();
		assertThat(counters.get(0)).isEqualTo(amount);
	}

}
