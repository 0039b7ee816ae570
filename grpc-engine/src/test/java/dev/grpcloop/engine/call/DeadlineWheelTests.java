package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deadlines of many calls on one loop, on a clock that is turned by hand (case B27).
 */
class DeadlineWheelTests {

	private final HandClock clock = new HandClock();

	private final DeadlineWheel wheel = new DeadlineWheel(this.clock);

	private final List<String> expired = new ArrayList<>();

	@Test
	void aDeadlineExpiresAfterItsTimeAndNotBefore() {
		add("a", 500);
		this.clock.advance(499);
		assertThat(this.expired).isEmpty();
		this.clock.advance(21);
		assertThat(this.expired).containsExactly("a");
		assertThat(this.wheel.size()).isZero();
	}

	@Test
	void deadlinesExpireInTheirOrder() {
		add("late", 900);
		add("early", 100);
		add("middle", 300);
		this.clock.advance(1000);
		assertThat(this.expired).containsExactly("early", "middle", "late");
	}

	@Test
	void aDeadlineFurtherAwayThanATurnIsPassedOver() {
		add("far", 60_000);
		this.clock.advance(59_000);
		assertThat(this.expired).isEmpty();
		this.clock.advance(1_020);
		assertThat(this.expired).containsExactly("far");
	}

	@Test
	void aDeadlineInThePastExpiresAtTheNextTick() {
		this.clock.advance(5_000);
		add("past", -100);
		this.clock.advance(20);
		assertThat(this.expired).containsExactly("past");
	}

	@Test
	void whatIsTakenOutDoesNotExpire() {
		Entry a = add("a", 100);
		add("b", 100);
		Entry c = add("c", 100);
		this.wheel.remove(a);
		this.wheel.remove(a);
		this.wheel.remove(c);
		this.clock.advance(200);
		assertThat(this.expired).containsExactly("b");
	}

	@Test
	void expiryMayTakeOthersOutAndAddNew() {
		Entry victim = new Entry("victim");
		DeadlineWheel.Node killer = new DeadlineWheel.Node() {

			@Override
			void deadlineExpired() {
				DeadlineWheelTests.this.expired.add("killer");
				DeadlineWheelTests.this.wheel.remove(victim);
				DeadlineWheelTests.this.add("successor", 50);
			}

		};
		this.wheel.add(victim, this.clock.now + ms(100));
		this.wheel.add(killer, this.clock.now + ms(100));
		this.clock.advance(120);
		assertThat(this.expired).containsExactly("killer");
		this.clock.advance(100);
		assertThat(this.expired).containsExactly("killer", "successor");
	}

	@Test
	void anEmptyWheelStandsStill() {
		Entry entry = add("a", 3_600_000);
		this.wheel.remove(entry);
		this.clock.advance(1_000);
		assertThat(this.clock.tasks).isEmpty();
		add("b", 100);
		this.clock.advance(120);
		assertThat(this.expired).containsExactly("b");
	}

	@Test
	void aMillionCallsThatEndInTimeLeaveNothingBehind() {
		for (int i = 0; i < 1_000_000; i++) {
			Entry entry = new Entry("call");
			this.wheel.add(entry, this.clock.now + TimeUnit.HOURS.toNanos(1));
			this.wheel.remove(entry);
		}
		assertThat(this.wheel.size()).isZero();
		assertThat(this.clock.tasks).hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void randomDeadlinesExpireOnceAndWithinATickOfTheirTime() {
		for (int seed = 0; seed < 50; seed++) {
			Random random = new Random(seed);
			HandClock clock = new HandClock();
			DeadlineWheel wheel = new DeadlineWheel(clock);
			List<Long> lateness = new ArrayList<>();
			int kept = 0;
			for (int i = 0; i < 500; i++) {
				long deadline = clock.now + ms(random.nextInt(20_000));
				DeadlineWheel.Node node = new DeadlineWheel.Node() {

					@Override
					void deadlineExpired() {
						lateness.add(clock.now - deadline);
					}

				};
				wheel.add(node, deadline);
				if (random.nextBoolean()) {
					wheel.remove(node);
				}
				else {
					kept++;
				}
				clock.advance(random.nextInt(50));
			}
			clock.advance(30_000);
			assertThat(lateness).as("seed " + seed).hasSize(kept).allMatch((late) -> late >= 0 && late <= ms(20));
		}
	}

	private Entry add(String name, long millis) {
		Entry entry = new Entry(name);
		this.wheel.add(entry, this.clock.now + ms(millis));
		return entry;
	}

	private static long ms(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private final class Entry extends DeadlineWheel.Node {

		private final String name;

		Entry(String name) {
			this.name = name;
		}

		@Override
		void deadlineExpired() {
			DeadlineWheelTests.this.expired.add(this.name);
		}

	}

	private static final class HandClock implements DeadlineWheel.Clock {

		private final PriorityQueue<Task> tasks = new PriorityQueue<>();

		// such clocks may begin anywhere
		private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

		private final long origin = this.now;

		@Override
		public long nanoTime() {
			return this.now;
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
			this.tasks.add(new Task(this.now - this.origin + delayNanos, task));
		}

		void advance(long millis) {
			long target = this.now - this.origin + ms(millis);
			while (!this.tasks.isEmpty() && this.tasks.peek().due <= target) {
				Task next = this.tasks.remove();
				this.now = this.origin + next.due;
				next.task.run();
			}
			this.now = this.origin + target;
		}

	}

	private record Task(long due, Runnable task) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return Long.compare(this.due, other.due);
		}

	}

}
