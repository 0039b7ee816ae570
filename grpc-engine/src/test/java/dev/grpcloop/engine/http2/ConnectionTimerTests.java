package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a timer looks, and when it takes the time to be up.
 */
class ConnectionTimerTests {

	private final SteppedLoop loop = new SteppedLoop();

	private final TestDuty duty = new TestDuty();

	private final ConnectionTimer timer = new ConnectionTimer(this.loop, this.duty);

	@Test
	void theTimeIsUpOnceAndNotANanosecondEarly() {
		dueIn(100);
		start();
		pass(50);
		dueIn(51);
		pass(50);
		assertThat(this.duty.ends).isZero();
		pass(1);
		assertThat(this.duty.ends).isOne();
		pass(1000);
		assertThat(this.duty.ends).isOne();
		assertThat(this.loop.hasTimers()).isFalse();
	}

	@Test
	void toBeginTwiceIsToBeginOnce() {
		dueIn(100);
		start();
		start();
		assertThat(this.loop.pendingTimers()).isOne();
		pass(100);
		assertThat(this.duty.ends).isOne();
	}

	@Test
	void whatTheLoopReadsLateButBeforeItTurnsPutsTheTimeOffHoweverOften() {
		dueIn(100);
		start();
		for (int i = 0; i < 5; i++) {
			behindTheFirstLook(() -> dueIn(100));
			pass(100);
			assertThat(this.duty.ends).isZero();
		}
		pass(100);
		assertThat(this.duty.ends).isOne();
	}

	@Test
	void aTimerThatBeginsAgainLooksTwiceAgain() {
		dueIn(100);
		start();
		pass(100);
		assertThat(this.duty.ends).isOne();
		dueIn(100);
		start();
		behindTheFirstLook(() -> dueIn(100));
		pass(100);
		assertThat(this.duty.ends).isOne();
		pass(100);
		assertThat(this.duty.ends).isEqualTo(2);
	}

	@Test
	void aTimerThatWasStoppedBetweenItsLooksLooksTwiceAgain() {
		dueIn(100);
		start();
		behindTheFirstLook(() -> {
			this.timer.stop();
			dueIn(100);
			this.timer.start();
		});
		pass(100);
		behindTheFirstLook(() -> dueIn(100));
		pass(100);
		assertThat(this.duty.ends).isZero();
		pass(100);
		assertThat(this.duty.ends).isOne();
	}

	@Test
	void aTimerThatWasStoppedDoesNotLook() {
		dueIn(100);
		start();
		this.loop.enter(this.timer::stop);
		this.loop.enter(this.timer::stop);
		assertThat(this.loop.hasTimers()).isFalse();
		start();
		assertThat(this.loop.pendingTimers()).isOne();
	}

	@Test
	void whileNothingIsWaitedForThereIsNoTimer() {
		start();
		assertThat(this.loop.hasTimers()).isFalse();
		dueIn(100);
		start();
		pass(50);
		this.duty.due = ConnectionLife.NEVER;
		pass(50);
		assertThat(this.loop.hasTimers()).isFalse();
		assertThat(this.duty.ends).isZero();
	}

	private void start() {
		this.loop.enter(this.timer::start);
	}

	private long now() {
		return this.loop.ticker().nanoTime();
	}

	private void dueIn(long nanos) {
		this.duty.due = now() + nanos;
	}

	private void behindTheFirstLook(Runnable step) {
		this.loop.enter(() -> this.loop.schedule(step, this.duty.due - now(), TimeUnit.NANOSECONDS));
	}

	private void pass(long nanos) {
		this.duty.looks = 0;
		this.loop.advance(nanos, TimeUnit.NANOSECONDS);
	}

	private final class TestDuty implements ConnectionTimer.Duty {

		private static final int MOST_LOOKS = 10;

		private long due = ConnectionLife.NEVER;

		private int looks;

		private int ends;

		@Override
		public long remainingNanos() {
			if (++this.looks > MOST_LOOKS) {
				throw new AssertionError("the timer looks on and on");
			}
			return (this.due != ConnectionLife.NEVER) ? this.due - now() : ConnectionLife.NEVER;
		}

		@Override
		public void timeIsUp() {
			this.ends++;
		}

	}

}
