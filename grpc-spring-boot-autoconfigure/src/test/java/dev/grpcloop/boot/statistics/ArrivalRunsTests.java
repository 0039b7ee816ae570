package dev.grpcloop.boot.statistics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArrivalRuns}.
 */
class ArrivalRunsTests {

	private final ArrivalRuns runs = new ArrivalRuns();

	@ParameterizedTest
	@ValueSource(longs = { 0, -1_000_000, Long.MAX_VALUE - 1_000, Long.MIN_VALUE })
	void theOldestIsThatOfAPlainListWhateverTheOrder(long origin) {
		Random random = new Random(origin);
		// of growing and shrinking numbers of calls, so that every order comes about
		for (int round = 0; round < 20; round++) {
			List<Long> calls = new ArrayList<>();
			long now = origin;
			int most = 1 << random.nextInt(12);
			for (int step = 0; step < 2_000; step++) {
				boolean more = calls.size() < most && random.nextInt(10) < 6;
				if (more || calls.isEmpty()) {
					now += random.nextInt(3);
					calls.add(now);
					this.runs.add(now);
				}
				else {
					this.runs.remove(calls.remove(place(random, calls.size())));
				}
				check(calls, origin);
			}
			Collections.shuffle(calls, random);
			while (!calls.isEmpty()) {
				this.runs.remove(calls.remove(0));
				check(calls, origin);
			}
		}
	}

	/** The oldest or the youngest more often than chance has it. */
	private static int place(Random random, int size) {
		return switch (random.nextInt(3)) {
			case 0 -> 0;
			case 1 -> size - 1;
			default -> random.nextInt(size);
		};
	}

	private void check(List<Long> calls, long origin) {
		assertThat(this.runs.isEmpty()).isEqualTo(calls.isEmpty());
		if (!calls.isEmpty()) {
			long oldest = Long.MAX_VALUE;
			for (long call : calls) {
				oldest = Math.min(oldest, call - origin);
			}
			assertThat(this.runs.oldest()).isEqualTo(origin + oldest);
		}
	}

	@Test
	void anOldCallDoesNotLetItGrow() {
		this.runs.add(0);
		Deque<Long> calls = new ArrayDeque<>();
		for (long now = 1; now < 100_000; now++) {
			calls.add(now);
			this.runs.add(now);
			if (calls.size() > ArrivalRuns.LEAST_ROOM / 2 - 2) {
				this.runs.remove(calls.remove());
			}
			assertThat(this.runs.oldest()).isZero();
		}
		assertThat(this.runs.room()).isEqualTo(ArrivalRuns.LEAST_ROOM);
	}

	@Test
	void theRoomOfManyCallsIsGivenBack() {
		for (int burst = 0; burst < 2; burst++) {
			for (int call = 0; call < 10_000; call++) {
				this.runs.add(call);
			}
			assertThat(this.runs.room()).isGreaterThanOrEqualTo(10_000);
			for (int call = 0; call < 10_000; call++) {
				this.runs.remove(call);
			}
			assertThat(this.runs.room()).isEqualTo(ArrivalRuns.LEAST_ROOM);
		}
	}

	@Test
	void aCallThatComesLateIsPutInItsPlace() {
		for (long arrival : new long[] { 10, 20, 5, 15 }) {
			this.runs.add(arrival);
		}
		for (long arrival : new long[] { 5, 10, 15, 20 }) {
			assertThat(this.runs.oldest()).isEqualTo(arrival);
			this.runs.remove(arrival);
		}
		assertThat(this.runs.isEmpty()).isTrue();
	}

	@Test
	void whatNeverCameEndsNothing() {
		this.runs.remove(1);
		this.runs.add(2);
		this.runs.remove(1);
		this.runs.remove(3);
		assertThat(this.runs.oldest()).isEqualTo(2);
		this.runs.remove(2);
		this.runs.remove(2);
		assertThat(this.runs.isEmpty()).isTrue();
	}

}
