package dev.grpcloop.boot.executor;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CallThreadPool}.
 */
@Timeout(60)
class CallThreadPoolTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private final CountDownLatch release = new CountDownLatch(1);

	private CallThreadPool pool = new CallThreadPool("test-pool-", 4, 2, LONG);

	@AfterEach
	void closePool() {
		this.release.countDown();
		this.pool.close();
	}

	@Test
	void makesNoThreadBeforeThereIsATask() {
		assertThat(threads()).isZero();
	}

	@Test
	void tasksThatBlockGetAllTheThreads() throws Exception {
		CountDownLatch running = new CountDownLatch(4);
		for (int i = 0; i < 4; i++) {
			this.pool.execute(() -> block(running));
		}
		assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(threads()).isEqualTo(4);
	}

	@Test
	void aTaskBehindOneThatBlocksIsNotLeftWaiting() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		this.pool.execute(() -> block(running));
		assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
		this.pool.execute(done::countDown);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void oneTaskAfterTheOtherNeedsOneThread() throws Exception {
		for (int i = 0; i < 50; i++) {
			CountDownLatch done = new CountDownLatch(1);
			this.pool.execute(done::countDown);
			assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
			awaitIdle();
		}
		assertThat(threads()).isEqualTo(1);
	}

	@Test
	void rejectsWhatFindsNoThreadAndNoPlace() throws Exception {
		CountDownLatch running = new CountDownLatch(4);
		for (int i = 0; i < 4; i++) {
			this.pool.execute(() -> block(running));
		}
		running.await();
		CountDownLatch waiting = new CountDownLatch(2);
		this.pool.execute(waiting::countDown);
		this.pool.execute(waiting::countDown);
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.pool.execute(() -> {
		})).withMessage("All 4 threads are busy and 2 calls wait for one");
		this.release.countDown();
		assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void acceptsAgainAfterTheTasksAreDone() throws Exception {
		for (int round = 0; round < 100; round++) {
			CountDownLatch done = new CountDownLatch(6);
			for (int i = 0; i < 6; i++) {
				this.pool.execute(done::countDown);
			}
			assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
			awaitIdle();
		}
	}

	@Test
	void withoutAQueueTasksGoToThreadsOnly() throws Exception {
		CallThreadPool small = new CallThreadPool("test-pool-", 1, 0, LONG);
		CountDownLatch running = new CountDownLatch(1);
		small.execute(() -> block(running));
		running.await();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> small.execute(() -> {
		}));
		this.release.countDown();
		small.close();
	}

	@Test
	void idleThreadsEnd() throws Exception {
		this.pool = new CallThreadPool("test-pool-", 4, 2, Duration.ofMillis(1));
		CountDownLatch done = new CountDownLatch(1);
		this.pool.execute(done::countDown);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		Awaitility.await().until(() -> threads() == 0);
		CountDownLatch again = new CountDownLatch(1);
		this.pool.execute(again::countDown);
		assertThat(again.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void everyTaskRunsOnceWhileThreadsComeAndGo() throws Exception {
		this.pool = new CallThreadPool("test-pool-", 8, Integer.MAX_VALUE, Duration.ofNanos(1));
		int tasks = 100_000;
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch producers = new CountDownLatch(2);
		for (int producer = 0; producer < 2; producer++) {
			new Thread(() -> {
				for (int i = 0; i < tasks; i++) {
					this.pool.execute(runs::incrementAndGet);
					if (i % 64 == 0) {
						Thread.yield();
					}
				}
				producers.countDown();
			}).start();
		}
		assertThat(producers.await(50, TimeUnit.SECONDS)).isTrue();
		Awaitility.await().untilAtomic(runs, org.hamcrest.Matchers.is(2 * tasks));
	}

	@Test
	void everyTaskRunsWhenEachIsWaitedFor() throws Exception {
		this.pool = new CallThreadPool("test-pool-", 2, 0, Duration.ofNanos(1));
		for (int i = 0; i < 20_000; i++) {
			CountDownLatch done = new CountDownLatch(1);
			while (!accepted(done)) {
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
			}
			assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	private boolean accepted(CountDownLatch done) {
		try {
			this.pool.execute(done::countDown);
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	@Test
	void aTaskThatThrowsCostsNoThread() throws Exception {
		CallThreadPool one = new CallThreadPool("test-pool-", 1, 10, LONG);
		Set<Thread> seen = ConcurrentHashMap.newKeySet();
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		one.execute(() -> {
			seen.add(Thread.currentThread());
			Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
			throw new IllegalStateException("task");
		});
		CountDownLatch done = new CountDownLatch(1);
		one.execute(() -> {
			seen.add(Thread.currentThread());
			done.countDown();
		});
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(thrown.get()).hasMessage("task");
		assertThat(seen).hasSize(1);
		one.close();
	}

	@Test
	void aThreadThatWasInterruptedStillWaitsForWork() throws Exception {
		CountDownLatch first = new CountDownLatch(1);
		this.pool.execute(() -> {
			Thread.currentThread().interrupt();
			first.countDown();
		});
		assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		awaitIdle();
		this.pool.execute(() -> interrupted.set(Thread.currentThread().isInterrupted()));
		Awaitility.await().until(() -> interrupted.get() != null);
		assertThat(interrupted.get()).isFalse();
	}

	@Test
	void closeWaitsForAcceptedTasksAndEndsAllThreads() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch running = new CountDownLatch(1);
		CallThreadPool closing = new CallThreadPool("test-pool-", 1, 10, LONG);
		closing.execute(() -> block(running));
		running.await();
		closing.execute(runs::incrementAndGet);
		closing.execute(runs::incrementAndGet);
		Thread releaser = new Thread(this.release::countDown);
		releaser.start();
		closing.close();
		assertThat(runs).hasValue(2);
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> closing.execute(() -> {
		})).withMessage("The pool is closed");
	}

	@Test
	void closeInterruptsTasksThatDoNotEnd() throws Exception {
		CallThreadPool closing = new CallThreadPool("test-pool-", 1, 10, LONG);
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		closing.execute(() -> {
			running.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		running.await();
		closing.close();
		assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aTaskMayCloseThePool() throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		this.pool.execute(() -> {
			this.pool.close();
			closed.countDown();
		});
		assertThat(closed.await(3, TimeUnit.SECONDS)).isTrue();
	}

	private void block(CountDownLatch running) {
		running.countDown();
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void awaitIdle() {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> threads() > 0 && idle() == threads());
	}

	private int threads() {
		return this.pool.threadCount();
	}

	private int idle() {
		return this.pool.idleCount();
	}

}
