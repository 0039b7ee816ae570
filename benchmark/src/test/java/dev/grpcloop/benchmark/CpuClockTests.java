package dev.grpcloop.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CpuClockTests {

	@Test
	void addsUserAndKernelTime() {
		String stat = "4711 (java) S 4700 4711 4700 34816 4711 1077936128 40112 0 11 0 1234 766 0 0 20 0 38 0 98765";
		assertThat(new CpuClock(100).micros(stat)).isEqualTo(2000 * 10_000.0);
	}

	@Test
	void isNotConfusedByTheNameOfTheProcess() {
		String stat = "4711 (a b) c) S 4700 4711 4700 34816 4711 1077936128 40112 0 11 0 5 6 0 0 20 0 38 0 98765";
		assertThat(new CpuClock(1000).micros(stat)).isEqualTo(11 * 1000.0);
	}

}
