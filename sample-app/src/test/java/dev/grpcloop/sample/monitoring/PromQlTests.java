package dev.grpcloop.sample.monitoring;

import dev.grpcloop.sample.monitoring.PromQl.Condition;
import dev.grpcloop.sample.monitoring.PromQl.Selector;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PromQlTests {

	@Test
	void findsMetricsAndConditions() {
		PromQl query = PromQl.of("rate(a_total{x=\"1\", y=~\"b{c}|d\"}[5m]) / 2e3 > bool b:c unless up offset 5m");
		assertThat(query.selectors()).extracting(Selector::metric).containsExactly("a_total", "b:c", "up");
		assertThat(query.selectors().get(0).conditions()).containsExactly(new Condition("x", "=", "1"),
				new Condition("y", "=~", "b{c}|d"));
		assertThat(query.groupings()).isEmpty();
	}

	@Test
	void findsWhatSeriesAreGroupedBy() {
		PromQl query = PromQl.of("sum by (x, y) (a) / on (z) group_left sum(b) by (w) and on () c");
		assertThat(query.selectors()).extracting(Selector::metric).containsExactly("a", "b", "c");
		assertThat(query.groupings()).containsExactlyInAnyOrder("x", "y", "z", "w");
	}

	@Test
	void refusesWhatItDoesNotUnderstand() {
		assertThatIllegalArgumentException().isThrownBy(() -> PromQl.of("rate(a[5m]) ? 3"))
			.withMessage("Not understood: ? 3");
	}

}
