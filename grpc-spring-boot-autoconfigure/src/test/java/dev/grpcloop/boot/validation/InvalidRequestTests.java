package dev.grpcloop.boot.validation;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.grpc.Metadata;
import io.grpc.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The status of requests that are invalid.
 */
class InvalidRequestTests {

	@Test
	void theMessageNamesTheFieldsAndTheNumberOfOthers() {
		List<RequestViolation> violations = IntStream.range(0, 100)
			.mapToObj((i) -> new RequestViolation("items[" + i + "].unit_price", "must be positive", "POSITIVE"))
			.toList();
		StatusException status = InvalidRequest.of(violations);
		assertThat(status).hasMessageStartingWith("INVALID_ARGUMENT: Invalid request: items[0].unit_price: must be "
				+ "positive; items[1].unit_price: must be positive; ");
		String description = status.getStatus().getDescription();
		int told = description.split("must be positive", -1).length - 1;
		assertThat(description).endsWith("; and " + (100 - told) + " more").hasSizeLessThan(400);
	}

	@Test
	void oneViolationOfTheWholeMessageIsSaidWithoutAField() {
		assertThat(InvalidRequest.of(List.of(new RequestViolation("", "must not be empty", ""))))
			.hasMessage("INVALID_ARGUMENT: Invalid request: must not be empty");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "é", "漢", "😀" })
	void theTrailersFitIntoTheMetadataThatClientsTake(String letter) {
		String text = letter.repeat(50_000);
		StatusException status = InvalidRequest.of(Collections.nCopies(1000, new RequestViolation(text, text, "X")));
		byte[] details = status.getTrailers()
			.get(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER));
		int encodedDetails = Base64.getEncoder().encodeToString(details).length();
		int encodedMessage = URLEncoder.encode(status.getStatus().getDescription(), StandardCharsets.UTF_8).length();
		assertThat(encodedDetails + encodedMessage).isBetween(2000, 7800);
	}

	@ParameterizedTest
	@CsvSource({ "string.min_len,STRING_MIN_LEN", "NotBlank,NOT_BLANK", "Size,SIZE", "quotient.whole,QUOTIENT_WHOLE",
			"1st rule,ST_RULE", "trailing.,TRAILING" })
	void reasonsAreInUpperCase(String name, String reason) {
		assertThat(RequestViolation.reason(name)).isEqualTo(reason);
	}

	@Test
	void aReasonHasNoMoreThan63Letters() {
		assertThat(RequestViolation.reason("a".repeat(62) + ".b")).isEqualTo("A".repeat(62));
	}

	@Test
	void numbersInPathsAreComparedByValue() {
		assertThat(NaturalOrder.compare("items[2]", "items[10]")).isNegative();
		assertThat(NaturalOrder.compare("items[10]", "items[10].x")).isNegative();
		assertThat(NaturalOrder.compare("a", "b")).isNegative();
		assertThat(NaturalOrder.compare("a01", "a1")).isNotZero();
		assertThat(NaturalOrder.compare("9".repeat(40), "9".repeat(41))).isNegative();
		assertThat(NaturalOrder.compare("a1", "a1")).isZero();
	}

}
