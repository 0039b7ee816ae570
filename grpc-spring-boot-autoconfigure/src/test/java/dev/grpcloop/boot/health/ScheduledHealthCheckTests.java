package dev.grpcloop.boot.health;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import java.time.Duration;

import dev.grpcloop.boot.testsupport.ManualClock;
import dev.grpcloop.boot.testsupport.ServerThreads;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that take their time, fail, or come to no end.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ScheduledHealthCheckTests {

	private final ManualClock clock = new ManualClock();

	private final SteppedCheck check = new SteppedCheck();

	private final List<Map<String, ServingStatus>> found = new CopyOnWriteArrayList<>();

	private final ScheduledHealthCheck scheduled = new ScheduledHealthCheck(this.check,
			new HealthSchedule(Duration.ZERO, Duration.ofSeconds(1), this.clock), this.found::add);

	@AfterEach
	void noThreadIsLeft() {
		this.scheduled.interrupt();
		ServerThreads.awaitNone();
	}

	@Test
	void aCheckIsMadeOnAThreadOfItsOwn() {
		this.check.steps.release();
		this.clock.tick();
		awaitFound(1);
		assertThat(this.check.threads).singleElement().asString().startsWith("grpc-server-health");
	}

	@Test
	void timesThatComeWhileACheckRunsAreLeftOut(CapturedOutput output) {
		for (int i = 0; i < 10; i++) {
			this.clock.tick();
		}
		this.check.steps.release(10);
		awaitFound(1);
		assertThat(output.getAll()).containsOnlyOnce("not done in time, it waits for a step");
		this.clock.tick();
		awaitFound(2);
		assertThat(this.check.made).hasValue(2);
	}

	@Test
	void aCheckThatHasFailedIsMadeAgain(CapturedOutput output) {
		this.check.failure = new IllegalStateException("broken");
		this.check.steps.release(2);
		this.clock.tick();
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("broken"));
		this.check.failure = null;
		Awaitility.await().untilAsserted(() -> {
			this.clock.tick();
			assertThat(this.found).isNotEmpty();
		});
	}

	@Test
	void aHurriedCheckIsMadeAtOnce() {
		this.check.steps.release(2);
		this.clock.tick();
		awaitFound(1);
		Awaitility.await().untilAsserted(() -> {
			this.scheduled.hurry();
			assertThat(this.found).hasSizeGreaterThan(1);
		});
	}

	@Test
	void aHurriedCheckFollowsTheOneThatRuns() {
		this.clock.tick();
		this.check.awaitMade(1);
		for (int i = 0; i < 10; i++) {
			this.scheduled.hurry();
		}
		this.check.steps.release(10);
		awaitFound(2);
		assertThat(this.check.made).hasValue(2);
	}

	@Test
	void aHurriedCheckDoesNotComeBeforeItsFirstTime() {
		this.check.steps.release(10);
		this.scheduled.hurry();
		this.clock.tick();
		awaitFound(1);
		assertThat(this.check.made).hasValue(1);
	}

	@Test
	void whatIsFoundAfterTheStopIsNotTold() {
		this.clock.tick();
		this.check.awaitMade(1);
		this.scheduled.stop();
		this.check.steps.release();
		ServerThreads.awaitNone();
		assertThat(this.found).isEmpty();
	}

	@Test
	void noCheckBeginsAfterTheStop() {
		this.scheduled.stop();
		this.clock.tickLate();
		this.scheduled.hurry();
		ServerThreads.awaitNone();
		assertThat(this.check.made).hasValue(0);
		assertThat(this.clock.tasks()).allMatch(ManualClock.Task::isCancelled);
	}

	@Test
	void aCheckThatHangsIsInterrupted() throws Exception {
		this.clock.tick();
		this.check.awaitMade(1);
		this.scheduled.interrupt();
		this.check.interrupted.await();
	}

	private void awaitFound(int times) {
		Awaitility.await().untilAsserted(() -> assertThat(this.found).hasSize(times));
	}

	/** Is done when the test lets it. */
	private static final class SteppedCheck implements HealthCheck {

		final Semaphore steps = new Semaphore(0);

		final AtomicInteger made = new AtomicInteger();

		final List<String> threads = new CopyOnWriteArrayList<>();

		final CountDownLatch interrupted = new CountDownLatch(1);

		volatile RuntimeException failure;

		@Override
		public Set<String> services() {
			return Set.of();
		}

		@Override
		public Map<String, ServingStatus> check() {
			this.made.incrementAndGet();
			this.threads.add(Thread.currentThread().getName());
			try {
				this.steps.acquire();
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
			}
			if (this.failure != null) {
				throw this.failure;
			}
			return Map.of();
		}

		@Override
		public String progress() {
			return "a step";
		}

		void awaitMade(int times) {
			Awaitility.await().untilAsserted(() -> assertThat(this.made).hasValue(times));
		}

	}

}
