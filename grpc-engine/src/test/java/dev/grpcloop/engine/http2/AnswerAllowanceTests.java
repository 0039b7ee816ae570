package dev.grpcloop.engine.http2;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerAllowanceTests {

	@Test
	void eachCauseAllowsForAFewAnswers() {
		AnswerAllowance allowance = new AnswerAllowance(4, Integer.MAX_VALUE);
		assertThat(allowance.takes(0)).isFalse();
		assertThat(taken(allowance, 2)).isEqualTo(8);
		assertThat(taken(allowance, 2)).isZero();
		assertThat(taken(allowance, 3)).isEqualTo(4);
	}

	@Test
	void noMoreCanBeSavedUpThanTheMost() {
		AnswerAllowance allowance = new AnswerAllowance(4, 10);
		assertThat(taken(allowance, 1000)).isEqualTo(10);
		assertThat(taken(allowance, 1001)).isEqualTo(4);
	}

	@Test
	void aCauseThatIsPassedOverAllowsForNothing() {
		AnswerAllowance allowance = new AnswerAllowance(1, 10);
		assertThat(allowance.takes(0)).isFalse();
		allowance.passOver();
		assertThat(taken(allowance, 1)).isZero();
		assertThat(taken(allowance, 2)).isEqualTo(1);
	}

	@Test
	void aCounterThatOverflowsIsACounterStill() {
		AnswerAllowance allowance = new AnswerAllowance(1, 10);
		allowance.takes(Integer.MAX_VALUE);
		while (allowance.takes(Integer.MAX_VALUE)) {
			// use it up
		}
		assertThat(taken(allowance, Integer.MIN_VALUE + 1)).isEqualTo(2);
	}

	private static int taken(AnswerAllowance allowance, int causes) {
		int taken = 0;
		while (allowance.takes(causes)) {
			taken++;
		}
		return taken;
	}

}
