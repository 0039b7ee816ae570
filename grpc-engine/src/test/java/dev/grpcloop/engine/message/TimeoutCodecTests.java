package dev.grpcloop.engine.message;

import java.math.BigInteger;
import java.util.Map;
import java.util.Random;

import io.netty.util.AsciiString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TimeoutCodecTests {

	private static final Map<Character, Long> UNITS = Map.of('n', 1L, 'u', 1_000L, 'm', 1_000_000L, 'S', 1_000_000_000L,
			'M', 60_000_000_000L, 'H', 3_600_000_000_000L);

	@ParameterizedTest
	@CsvSource({ "1n, 1", "1u, 1000", "1m, 1000000", "1S, 1000000000", "1M, 60000000000", "1H, 3600000000000", "0S, 0",
			"0n, 0", "00000000H, 0", "00000001n, 1", "250m, 250000000", "99999999S, 99999999000000000",
			"99999999M, 5999999940000000000" })
	void everyUnitIsRead(String value, long nanos) {
		assertThat(TimeoutCodec.parseNanos(value)).isEqualTo(nanos);
		assertThat(TimeoutCodec.parseNanos(new AsciiString(value))).isEqualTo(nanos);
	}

	@ParameterizedTest
	@CsvSource({ "2562047H, 9223369200000000000", "2562048H, 9223372036854775807", "99999999H, 9223372036854775807" })
	void hoursBeyondALongOfNanosecondsSaturate(String value, long nanos) {
		assertThat(TimeoutCodec.parseNanos(value)).isEqualTo(nanos);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "S", "1", "10", "-1S", "+1S", "123456789S", "000000001S", "10x", "1 S", " 1S", "1S ",
			"1s", "1h", "1N", "1U", "1.5S", "1e3m", "0x1S", "S1", "1SS", "1,2S", "\u0661S", "\uFF11S", "12345678",
			"1S,2S", "1\u0000", "/S", ":S" })
	void anythingElseIsRejectedWithTheValueAndWhatIsAllowed(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> TimeoutCodec.parseNanos(value))
			.withMessage("grpc-timeout is '" + value
					+ "'; allowed are 1 to 8 digits and one of the units H, M, S, m, u, n, for example 250m");
	}

	@Test
	void longValueIsQuotedInPart() {
		assertThatIllegalArgumentException().isThrownBy(() -> TimeoutCodec.parseNanos("9".repeat(8000)))
			.withMessageStartingWith("grpc-timeout is '" + "9".repeat(32) + "… (8000 characters)'; allowed are 1 to 8");
	}

	@Test
	void randomTimeoutsAreTheProductOfAmountAndUnit() {
		Random random = new Random(42);
		for (int run = 0; run < 20_000; run++) {
			int width = 1 + random.nextInt(8);
			int amount = random.nextInt((int) Math.pow(10, width));
			char unit = "numSMH".charAt(random.nextInt(6));
			BigInteger exact = BigInteger.valueOf(amount).multiply(BigInteger.valueOf(UNITS.get(unit)));
			String value = String.format("%0" + width + "d", amount) + unit;
			assertThat(TimeoutCodec.parseNanos(value)).as(value)
				.isEqualTo(exact.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact());
		}
	}

	@Test
	void onlyTheGrammarIsAccepted() {
		Random random = new Random(43);
		String alphabet = "0123456789numSMHxs -.+";
		for (int run = 0; run < 50_000; run++) {
			StringBuilder value = new StringBuilder();
			for (int length = random.nextInt(11); length > 0; length--) {
				value.append(alphabet.charAt(random.nextInt((random.nextInt(3) == 0) ? alphabet.length() : 12)));
			}
			boolean accepted = true;
			try {
				TimeoutCodec.parseNanos(value);
			}
			catch (IllegalArgumentException ex) {
				accepted = false;
			}
			assertThat(accepted).as(value.toString()).isEqualTo(value.toString().matches("[0-9]{1,8}[HMSmun]"));
		}
	}

}
