package dev.grpcloop.engine.message;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class StatusCodecTests {

	@ParameterizedTest
	@EnumSource
	void codesAreTheirDecimalDigitsInASharedArray(Status.Code code) {
		assertThat(new String(StatusCodec.code(code), US_ASCII)).isEqualTo(Integer.toString(code.value()));
		assertThat(StatusCodec.code(code)).isSameAs(StatusCodec.code(code));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "not found", "~", "a  b", "a+b&c=d/e?\"'\\" })
	void printableAsciiStaysAsItIs(String description) {
		assertThat(encode(description)).isEqualTo(description);
		assertThat(StatusCodec.decodeMessage(StatusCodec.encodeMessage(description))).isEqualTo(description);
	}

	@ParameterizedTest
	@CsvSource({ "50% off, 50%25 off", "%41, %2541", "100%, 100%25", "é日本, %C3%A9%E6%97%A5%E6%9C%AC",
			"ok 😀!, ok %F0%9F%98%80!", "\u007F, %7F", "\u0080, %C2%80", "\u07FF, %DF%BF", "\u0800, %E0%A0%80",
			"\uFFFF, %EF%BF%BF", "\uD800\uDC00, %F0%90%80%80", "\uDBFF\uDFFF, %F4%8F%BF%BF" })
	void everythingElseIsEscapedAsUtf8InUpperCaseHex(String description, String encoded) {
		assertThat(encode(description)).isEqualTo(encoded);
		assertThat(StatusCodec.decodeMessage(encoded.getBytes(US_ASCII))).isEqualTo(description);
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false,
			value = { "' ',%20", "'  ',%20%20", " a,%20a", "a ,a%20", "  a b  ,%20 a b %20", "é ,%C3%A9%20" })
	void spacesAtTheEndsAreEscapedSinceHttp2AllowsNone(String description, String encoded) {
		assertThat(encode(description)).isEqualTo(encoded);
		assertThat(StatusCodec.decodeMessage(encoded.getBytes(US_ASCII))).isEqualTo(description);
	}

	@Test
	void controlCharactersAreEscaped() {
		assertThat(encode("a\nb\tc\r\u0000")).isEqualTo("a%0Ab%09c%0D%00");
		assertThat(encode("\u001F ~\u007F")).isEqualTo("%1F ~%7F");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\uD800b", "a\uDC00b", "a\uDBFFb", "a\uDFFFb" })
	void surrogateWithoutPartnerBecomesTheReplacementCharacter(String description) {
		assertThat(encode(description)).isEqualTo("a%EF%BF%BDb");
	}

	@Test
	void surrogatesInTheWrongOrderOrAtTheEndBecomeReplacementCharacters() {
		assertThat(encode("\uDC00\uD800")).isEqualTo("%EF%BF%BD%EF%BF%BD");
		assertThat(encode("\uD83D\uD83D\uDE00")).isEqualTo("%EF%BF%BD%F0%9F%98%80");
	}

	@Test
	void longDescriptionIsEncodedWhole() {
		assertThat(encode("é".repeat(2000))).isEqualTo("%C3%A9".repeat(2000));
	}

	@Test
	void randomTextMakesTheRoundTripInPrintableAscii() {
		Random random = new Random(42);
		for (int run = 0; run < 5000; run++) {
			String description = randomText(random);
			byte[] encoded = StatusCodec.encodeMessage(description);
			for (byte octet : encoded) {
				assertThat(octet).isBetween((byte) 0x20, (byte) 0x7E);
			}
			assertThat(new String(encoded, US_ASCII)).matches("([^%]|%[0-9A-F]{2})*");
			// the JDK's decoder shares no code with ours
			assertThat(URLDecoder.decode(new String(encoded, US_ASCII).replace("+", "%2B"), StandardCharsets.UTF_8))
				.isEqualTo(description);
			assertThat(StatusCodec.decodeMessage(encoded)).isEqualTo(description);
		}
	}

	@ParameterizedTest
	@CsvSource({ "%, %", "%4, %4", "a%, a%", "%zz, %zz", "%4z, %4z", "%z4, %z4", "%%41, %A", "%25%, %%", "%c3%a9, é",
			"100%!, 100%!", "%2, %2", "%C3, \uFFFD", "%FFok, \uFFFDok", "% 41, % 41" })
	void malformedEscapesAreKeptAndMalformedUtf8IsReplaced(String encoded, String description) {
		assertThat(StatusCodec.decodeMessage(encoded.getBytes(US_ASCII))).isEqualTo(description);
	}

	@Test
	void anyBytesDecodeToSomething() {
		Random random = new Random(43);
		for (int run = 0; run < 5000; run++) {
			byte[] value = new byte[random.nextInt(40)];
			random.nextBytes(value);
			for (int i = 0; i < value.length; i++) {
				if (random.nextInt(3) == 0) {
					value[i] = '%';
				}
			}
			assertThat(StatusCodec.decodeMessage(value).length()).isLessThanOrEqualTo(value.length);
		}
	}

	@Test
	void rawUtf8OfACarelessPeerIsRead() {
		assertThat(StatusCodec.decodeMessage("é %C3%A9".getBytes(StandardCharsets.UTF_8))).isEqualTo("é é");
	}

	private static String encode(String description) {
		return new String(StatusCodec.encodeMessage(description), US_ASCII);
	}

	private static String randomText(Random random) {
		StringBuilder text = new StringBuilder();
		for (int length = random.nextInt(30); length > 0; length--) {
			int bound = switch (random.nextInt(4)) {
				case 0 -> 0x80;
				case 1 -> 0x800;
				case 2 -> 0x10000;
				default -> 0x110000;
			};
			int codePoint = random.nextInt(bound);
			boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
			text.appendCodePoint(surrogate ? '%' : codePoint);
		}
		return text.toString();
	}

}
