package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.http2.RequestLineScan.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of a foreign protocol for the log. {@link ConnectionPrefaceTests} have the
 * verdicts.
 */
class RequestLineScanTests {

	@ParameterizedTest
	@CsvSource({ "0, \\x00", "31, \\x1f", "32, ' '", "126, ~", "127, \\x7f", "128, \\x80", "255, \\xff" })
	void aByteThatIsNotPrintableIsKeptAsItsNumber(int next, String kept) {
		RequestLineScan scan = new RequestLineScan();
		scan.read((byte) next);
		scan.read((byte) 'a');
		assertThat(scan.beginning()).isEqualTo(kept + "a");
		assertThat(scan.verdict()).isEqualTo(Verdict.OTHER);
	}

	@ParameterizedTest
	@ValueSource(ints = { 31, 32, 33, 100_000 })
	void theBeginningIsKeptAndNoMore(int length) {
		RequestLineScan scan = new RequestLineScan();
		String line = "GET /" + "a".repeat(length - 5);
		for (byte next : line.getBytes(StandardCharsets.US_ASCII)) {
			scan.read(next);
		}
		assertThat(scan.beginning()).isEqualTo(line.substring(0, Math.min(32, length)));
	}

}
