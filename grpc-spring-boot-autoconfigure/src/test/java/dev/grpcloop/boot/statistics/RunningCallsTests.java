package dev.grpcloop.boot.statistics;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunningCalls}.
 */
class RunningCallsTests {

	private final RunningCalls calls = new RunningCalls();

	@Test
	void theTimesAreThoseOfTheCallsThatRun() {
		assertTimes(100, 0, 0);
		this.calls.started(5);
		this.calls.started(6);
		this.calls.started(10);
		assertTimes(12, 15, 7);
		this.calls.closed(5);
		assertTimes(12, 8, 6);
		this.calls.closed(10);
		assertTimes(20, 14, 14);
		this.calls.closed(6);
		assertTimes(20, 0, 0);
	}

	@Test
	void sumsThatOverflowAreRight() {
		for (int call = 0; call < 1_000; call++) {
			this.calls.started(Long.MAX_VALUE - 3);
		}
		assertTimes(Long.MIN_VALUE + 6, 10_000, 10);
	}

	private void assertTimes(long now, long total, long oldest) {
		assertThat(this.calls.totalNanos(() -> now)).isEqualTo(total);
		assertThat(this.calls.oldestNanos(() -> now)).isEqualTo(oldest);
	}

	@Test
	void whatReadersSeeBelongsTogether() throws Exception {
		// numbers of different moments would be off by a whole arrival, or many
		long arrival = 1_000_000_000;
		int most = 4;
		AtomicBoolean read = new AtomicBoolean();
		Thread writer = new Thread(() -> {
			while (!read.get()) {
				for (int call = 0; call < most; call++) {
					this.calls.started(arrival);
					pause();
				}
				for (int call = 0; call < most; call++) {
					this.calls.closed(arrival);
					pause();
				}
			}
		});
		writer.start();
		long greatest = 0;
		for (int reading = 0; reading < 200_000; reading++) {
			greatest = Math.max(greatest, this.calls.totalNanos(() -> arrival + 1));
		}
		read.set(true);
		writer.join();
		assertThat(greatest).isLessThanOrEqualTo(most);
		assertTimes(arrival + 1, 0, 0);
	}

	/** A call takes longer than to be counted. */
	private static void pause() {
		for (int i = 0; i < 20; i++) {
			Thread.onSpinWait();
		}
	}

	@Test
	void callsThatComeAndGoAllocateNothing() {
		MethodRecorder recorder = new MethodRecorder(CallRecorder.NOOP);
		com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
		recorder.callStarted(0);
		makeCalls(recorder, 1_000);
		long before = threads.getCurrentThreadAllocatedBytes();
		int calls = 100_000;
		makeCalls(recorder, calls);
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		// what the measuring itself allocates is less than a byte for each
		assertThat(allocated).isLessThan(calls);
	}

	/** Beside an old one, three at a time. */
	private static void makeCalls(MethodRecorder recorder, int calls) {
		for (long now = 1; now <= calls; now++) {
			recorder.callStarted(now);
			if (now > 3) {
				recorder.callClosed(Status.OK, now - 3, 1_000, true);
			}
		}
		for (long last = calls - 2; last <= calls; last++) {
			recorder.callClosed(Status.OK, last, 1_000, true);
		}
	}

}
