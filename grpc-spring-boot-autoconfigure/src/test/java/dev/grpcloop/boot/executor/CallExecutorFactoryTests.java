package dev.grpcloop.boot.executor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CallExecutorFactory}.
 */
class CallExecutorFactoryTests {

	private final MockEnvironment environment = new MockEnvironment();

	@ParameterizedTest
	@CsvSource({ "17", "21", "23" })
	void autoTakesThePoolBeforeJava24(int javaVersion) {
		assertThat(create(ExecutorMode.AUTO, javaVersion)).isEqualTo(
				"a pool of up to 200 threads (spring.threads.virtual.enabled is not set and this is Java %d)",
				javaVersion);
	}

	@ParameterizedTest
	@CsvSource({ "17", "25" })
	void autoTakesThePoolIfVirtualThreadsAreSwitchedOff(int javaVersion) {
		this.environment.setProperty("spring.threads.virtual.enabled", "false");
		assertThat(create(ExecutorMode.AUTO, javaVersion))
			.isEqualTo("a pool of up to 200 threads (spring.threads.virtual.enabled is false)");
	}

	@Test
	void autoTakesThePoolIfVirtualThreadsAreAskedForAndNotThere() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		assertThat(create(ExecutorMode.AUTO, 20)).isEqualTo(
				"a pool of up to 200 threads (spring.threads.virtual.enabled is true, but Java 20 has no virtual threads)");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void autoTakesVirtualThreadsFromJava24() {
		assertThat(create(ExecutorMode.AUTO, 24))
			.isEqualTo("virtual threads (spring.threads.virtual.enabled is not set and this is Java 24)");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void autoTakesVirtualThreadsFromJava21IfTheyAreSwitchedOn() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		assertThat(create(ExecutorMode.AUTO, 21)).isEqualTo("virtual threads (spring.threads.virtual.enabled is true)");
	}

	@Test
	void theEnvironmentIsReadWhenTheExecutorIsMade() {
		CallExecutorFactory factory = factory(ExecutorMode.AUTO, 17);
		this.environment.setProperty("spring.threads.virtual.enabled", "false");
		assertThat(factory.create())
			.hasToString("a pool of up to 200 threads (spring.threads.virtual.enabled is false)");
	}

	@Test
	void virtualBeforeJava21FailsAndSaysWhatToDo() {
		assertThatExceptionOfType(FailureAnalyzedException.class).isThrownBy(() -> create(ExecutorMode.VIRTUAL, 17))
			.satisfies((ex) -> {
				assertThat(ex.analysis().getDescription())
					.isEqualTo("grpc.server.executor.mode is virtual, but this is "
							+ "Java 17: virtual threads need Java 21 or newer.");
				assertThat(ex.analysis().getAction()).contains("Java 21 or newer", "grpc.server.executor.mode",
						"auto, platform", "event-loop");
			});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualTakesVirtualThreads() {
		assertThat(create(ExecutorMode.VIRTUAL, 21))
			.isEqualTo("virtual threads (grpc.server.executor.mode is virtual)");
	}

	@Test
	void platformTakesThePool() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		assertThat(create(ExecutorMode.PLATFORM, 25))
			.isEqualTo("a pool of up to 200 threads (grpc.server.executor.mode is platform)");
	}

	@Test
	void eventLoopTakesTheLoops() {
		assertThat(create(ExecutorMode.EVENT_LOOP, 25))
			.isEqualTo("the event loops (grpc.server.executor.mode is event-loop)");
	}

	private String create(ExecutorMode mode, int javaVersion) {
		try (CallExecutor executor = factory(mode, javaVersion).create()) {
			return executor.toString();
		}
	}

	private CallExecutorFactory factory(ExecutorMode mode, int javaVersion) {
		return new CallExecutorFactory(mode, 200, 10_000, this.environment, javaVersion);
	}

}
