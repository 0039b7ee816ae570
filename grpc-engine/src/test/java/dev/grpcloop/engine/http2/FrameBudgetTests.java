package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FrameBudgetTests {

	private static final long PERIOD = TimeUnit.SECONDS.toNanos(30);

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, -1, Long.MAX_VALUE - 5, Long.MIN_VALUE })
	void asManyAsTheBudgetAreAllowedAtOnceWhateverTheClockSays(long now) {
		FrameBudget budget = budget(3);
		assertThat(budget.allows(1, now)).isTrue();
		assertThat(budget.allows(1, now)).isTrue();
		assertThat(budget.allows(1, now + PERIOD - 1)).isTrue();
		assertThat(budget.allows(1, now + PERIOD - 1)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1_000_000_000_000L, Long.MAX_VALUE - 5 })
	void aPeriodLaterTheBudgetIsThereAgain(long now) {
		FrameBudget budget = budget(3);
		assertThat(budget.allows(3, now)).isTrue();
		assertThat(budget.allows(3, now + PERIOD)).isTrue();
		assertThat(budget.allows(1, now + PERIOD)).isFalse();
	}

	@Test
	void aRateBelowTheBudgetIsAllowedForEver() {
		FrameBudget budget = budget(3);
		for (long i = 0; i < 100_000; i++) {
			assertThat(budget.allows(1, i * PERIOD / 3)).isTrue();
		}
	}

	@Test
	void aBurstAfterALongQuietTimeIsMeasuredByItself() {
		FrameBudget budget = budget(3);
		assertThat(budget.allows(3, 0)).isTrue();
		assertThat(budget.allows(3, 1000 * PERIOD)).isTrue();
		assertThat(budget.allows(1, 1000 * PERIOD + 1)).isFalse();
	}

	@Test
	void aBudgetOfNothingAllowsNothing() {
		assertThat(budget(0).allows(1, 0)).isFalse();
	}

	@Test
	void whatIsTooMuchNamesTheGuardAndTheNumbers() {
		assertThatExceptionOfType(AbuseException.class).isThrownBy(() -> budget(0).spend(0)).satisfies((ex) -> {
			assertThat(ex.guard()).isEqualTo(Guard.SETTINGS_FLOOD);
			assertThat(ex.error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
			assertThat(ex.getMessage()).isEqualTo("settings_flood: more than 0 apples in 30 s");
		});
	}

	private static FrameBudget budget(int limit) {
		return new FrameBudget(Guard.SETTINGS_FLOOD, "apples", limit, PERIOD);
	}

}
