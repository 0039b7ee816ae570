package dev.grpcloop.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final LoadCase load = LoadCase.of("3b");

	private final Results results = new Results();

	@Test
	void showsMediansAndRatiosToTheBaseline() {
		add("grpc-java", 100_000, 90_000, 200_000);
		add("event-loop", 290_000, 310_000, 250_000);
		assertThat(new Report("grpc-java").format(this.results).lines())
			.anySatisfy((line) -> assertThat(line.split(" +")).containsExactly("3b", "100x10", "event-loop", "290,000",
					"250,000", "to", "310,000", "2.90", "2.00", "1.00", "0"));
	}

	@Test
	void takesTheMeanOfTheTwoInTheMiddle() {
		add("grpc-java", 100, 400, 200, 300);
		assertThat(new Report("grpc-java").format(this.results)).contains(" 250 ");
	}

	@Test
	void saysLoudlyThatCallsFailed() {
		add("grpc-java", 100_000);
		assertThat(new Report("grpc-java").format(this.results)).doesNotContain("FAILED");
		this.results.add(this.load, "grpc-java", new Measurement(100_000, 2, 7));
		assertThat(this.results.failed()).isEqualTo(7);
		assertThat(new Report("grpc-java").format(this.results)).contains("*** 7 CALLS FAILED");
	}

	@Test
	void countsProcessorTimeOverTheCallsAnswered() {
		H2loadReport report = new H2loadReport(1000, 3000, 0, 3000 * 31);
		assertThat(Measurement.of(report, 6000, 31)).isEqualTo(new Measurement(1000, 2, 0));
	}

	private void add(String server, double... callsPerSecond) {
		for (double figure : callsPerSecond) {
			this.results.add(this.load, server, new Measurement(figure, 2, 0));
		}
	}

}
