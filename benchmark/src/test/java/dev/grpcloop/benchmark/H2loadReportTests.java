package dev.grpcloop.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Reads what h2load 1.52 has printed.
 */
class H2loadReportTests {

	private static final int MESSAGE_BYTES = 31;

	private static final String ANSWERED = """
			Main benchmark duration is over for thread #0. Stopping all clients.
			Stopped all clients for thread #0

			finished in 1.50s, 45613.33 req/s, 2.74MB/s
			requests: 68420 total, 68520 started, 68420 done, 68420 succeeded, 0 failed, 0 errored, 0 timeout
			status codes: 68420 2xx, 0 3xx, 0 4xx, 0 5xx
			traffic: 4.11MB (4311920) total, 267.91KB (274340) headers (space savings 95.17%), 2.02MB (2121020) data
			                     min         max         mean         sd        +/- sd
			time for request:      160us     24.44ms      2.14ms      1.90ms    87.53%
			""";

	private static final String ANSWERED_WITH_AN_ERROR_STATUS = """
			finished in 64.17ms, 15583.85 req/s, 221.73KB/s
			requests: 1000 total, 1000 started, 1000 done, 1000 succeeded, 0 failed, 0 errored, 0 timeout
			status codes: 1000 2xx, 0 3xx, 0 4xx, 0 5xx
			traffic: 14.23KB (14570) total, 4.79KB (4910) headers (space savings 95.45%), 0B (0) data
			""";

	private static final String NOT_CONNECTED = """
			finished in 1.00s, 0.00 req/s, 0B/s
			requests: 0 total, 0 started, 0 done, 0 succeeded, 0 failed, 0 errored, 0 timeout
			status codes: 0 2xx, 0 3xx, 0 4xx, 0 5xx
			traffic: 0B (0) total, 0B (0) headers (space savings 0.00%), 0B (0) data
			""";

	@Test
	void readsThroughputAndCalls() {
		assertThat(H2loadReport.parse(ANSWERED)).isEqualTo(new H2loadReport(45613.33, 68420, 0, 2121020));
	}

	@Test
	void readsFailedCalls() {
		String failed = ANSWERED.replace("68420 succeeded, 0 failed, 0 errored",
				"68400 succeeded, 20 failed, 20 errored");
		assertThat(H2loadReport.parse(failed).failed()).isEqualTo(20);
	}

	@Test
	void seesThatEachCallWasAnsweredWithTheMessage() {
		assertThat(H2loadReport.parse(ANSWERED).withoutMessage(MESSAGE_BYTES)).isZero();
	}

	@Test
	void seesCallsThatEndedWithoutAMessage() {
		assertThat(H2loadReport.parse(ANSWERED_WITH_AN_ERROR_STATUS).withoutMessage(MESSAGE_BYTES)).isEqualTo(1000);
		assertThat(
				H2loadReport.parse(ANSWERED.replace("(2121020) data", "(2120960) data")).withoutMessage(MESSAGE_BYTES))
			.isEqualTo(2);
	}

	@Test
	void readsThatNothingWasAnswered() {
		assertThat(H2loadReport.parse(NOT_CONNECTED).answered()).isZero();
	}

	@Test
	void showsWhatItCannotRead() {
		assertThatIllegalStateException().isThrownBy(() -> H2loadReport.parse("Segmentation fault"))
			.withMessageContaining("Segmentation fault");
	}

}
