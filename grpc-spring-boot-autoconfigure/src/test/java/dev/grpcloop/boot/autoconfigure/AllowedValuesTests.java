package dev.grpcloop.boot.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The first and the last value of every range.
 */
class AllowedValuesTests {

	private static final String COUNT = "grpc.server.port";

	private static final String SIZE = "grpc.server.flow-control.window";

	private static final String TIME = "grpc.server.guard.period";

	private static final Duration NANO = Duration.ofNanos(1);

	private static final Duration AGES = Duration.ofSeconds(Long.MAX_VALUE);

	@ParameterizedTest
	@CsvSource({ "0, 65535", "1, 2147483647", "7, 7" })
	void aNumberIsInARangeWithItsEnds(int min, int max) {
		assertThat(AllowedValues.inRange(COUNT, min, min, max)).isEqualTo(min);
		assertThat(AllowedValues.inRange(COUNT, max, min, max)).isEqualTo(max);
		assertRefused(COUNT, () -> AllowedValues.inRange(COUNT, min - 1, min, max));
		if (max < Integer.MAX_VALUE) {
			assertRefused(COUNT, () -> AllowedValues.inRange(COUNT, max + 1, min, max));
		}
		assertThat(AllowedValues.atLeast(COUNT, min, min)).isEqualTo(min);
		assertThat(AllowedValues.atLeast(COUNT, Integer.MAX_VALUE, min)).isEqualTo(Integer.MAX_VALUE);
		assertRefused(COUNT, () -> AllowedValues.atLeast(COUNT, min - 1, min));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 65535 })
	void aSizeOfAnArrayGoesFromTheLeastToTwoGibibytes(int min) {
		assertThat(AllowedValues.bytes(SIZE, DataSize.ofBytes(min), min)).isEqualTo(min);
		assertThat(AllowedValues.bytes(SIZE, DataSize.ofBytes(Integer.MAX_VALUE), min)).isEqualTo(Integer.MAX_VALUE);
		assertRefused(SIZE, () -> AllowedValues.bytes(SIZE, DataSize.ofBytes(min - 1), min));
		assertRefused(SIZE, () -> AllowedValues.bytes(SIZE, DataSize.ofBytes(Integer.MAX_VALUE + 1L), min));
		assertRefused(SIZE, () -> AllowedValues.bytes(SIZE, DataSize.ofBytes(1L << 32), min));
	}

	@Test
	void aSizeOfMemoryHasNoEnd() {
		assertThat(AllowedValues.manyBytes(SIZE, DataSize.ofBytes(5), 5)).isEqualTo(5);
		assertThat(AllowedValues.manyBytes(SIZE, DataSize.ofBytes(Long.MAX_VALUE), 5)).isEqualTo(Long.MAX_VALUE);
		assertRefused(SIZE, () -> AllowedValues.manyBytes(SIZE, DataSize.ofBytes(4), 5));
	}

	@Test
	void aTimeThatMustBeSomeIsMoreThanNothing() {
		assertThat(AllowedValues.positiveNanos(TIME, NANO)).isOne();
		assertThat(AllowedValues.positiveNanos(TIME, AGES)).isEqualTo(Long.MAX_VALUE);
		assertRefused(TIME, () -> AllowedValues.positiveNanos(TIME, Duration.ZERO));
		assertRefused(TIME, () -> AllowedValues.positiveNanos(TIME, NANO.negated()));
	}

	@Test
	void aTimeThatMayBeNoneIsNotLessThanNothing() {
		assertThat(AllowedValues.nanos(TIME, Duration.ZERO)).isZero();
		assertThat(AllowedValues.nanos(TIME, NANO)).isOne();
		assertThat(AllowedValues.nanos(TIME, AGES)).isEqualTo(Long.MAX_VALUE);
		assertRefused(TIME, () -> AllowedValues.nanos(TIME, NANO.negated()));
		assertThat(AllowedValues.zeroOrMore(TIME, Duration.ZERO)).isZero();
		assertThat(AllowedValues.zeroOrMore(TIME, AGES)).isEqualTo(AGES);
		assertRefused(TIME, () -> AllowedValues.zeroOrMore(TIME, NANO.negated()));
	}

	@Test
	void aTimeOfMillisecondsIsNoneOrAtLeastOne() {
		Duration milli = Duration.ofMillis(1);
		assertThat(AllowedValues.zeroOrMillis(TIME, Duration.ZERO)).isZero();
		assertThat(AllowedValues.zeroOrMillis(TIME, milli)).isEqualTo(milli);
		assertRefused(TIME, () -> AllowedValues.zeroOrMillis(TIME, milli.minus(NANO)));
		assertRefused(TIME, () -> AllowedValues.zeroOrMillis(TIME, milli.negated()));
	}

	private static void assertRefused(String property, Supplier<Object> check) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class).isThrownBy(check::get)
			.satisfies((refusal) -> assertThat(refusal.getName()).isEqualTo(property))
			.satisfies((refusal) -> assertThat(refusal.getReason()).contains(AllowedValues.of(property)));
	}

}
