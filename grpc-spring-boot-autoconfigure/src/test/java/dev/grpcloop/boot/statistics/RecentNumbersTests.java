package dev.grpcloop.boot.statistics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecentMaximum} and {@link RecentShare}.
 */
class RecentNumbersTests {

	/** Clocks may begin anywhere. */
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final AtomicLong busy = new AtomicLong();

	private final RecentMaximum maximum = new RecentMaximum(this.clock::get);

	private final RecentShare share = new RecentShare(this.clock::get, this.busy::get);

	private void pass(long seconds) {
		this.clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
	}

	private void work(long seconds) {
		this.busy.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
		pass(seconds);
	}

	@Test
	void withoutAValueTheMaximumIsZero() {
		assertThat(this.maximum.get()).isZero();
	}

	@Test
	void theGreatestValueStaysForTwoMinutesAndIsForgottenThen() {
		this.maximum.record(5);
		this.maximum.record(3);
		for (int second = 0; second < 120; second += 10) {
			assertThat(this.maximum.get()).isEqualTo(5);
			pass(10);
			this.maximum.record(1);
		}
		pass(20);
		assertThat(this.maximum.get()).isEqualTo(1);
		pass(200);
		assertThat(this.maximum.get()).isZero();
	}

	@Test
	void whereNobodyReadsNothingIsForgotten() {
		this.maximum.record(7);
		pass(3600);
		this.maximum.record(2);
		assertThat(this.maximum.get()).isEqualTo(7);
		pass(119);
		assertThat(this.maximum.get()).isEqualTo(7);
		pass(1);
		assertThat(this.maximum.get()).isZero();
	}

	@Test
	void theShareIsThatOfTheTimeThatHasPassed() {
		assertThat(this.share.get()).isZero();
		work(1);
		pass(3);
		assertThat(this.share.get()).isEqualTo(0.25);
		assertThat(this.share.get()).isEqualTo(0.25);
	}

	@Test
	void aBusyTimeOfOverAMinuteAgoIsForgottenHoweverOftenItIsRead() {
		work(10);
		for (int second = 0; second < 60; second++) {
			assertThat(this.share.get()).isPositive();
			pass(1);
		}
		pass(10);
		assertThat(this.share.get()).isZero();
	}

	@Test
	void workThatIsKnownLateIsNoMoreThanAll() {
		pass(10);
		assertThat(this.share.get()).isZero();
		this.busy.addAndGet(TimeUnit.SECONDS.toNanos(90));
		assertThat(this.share.get()).isOne();
	}

}
