package dev.grpcloop.boot.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

/**
 * A scheduler whose tasks run when the test says so.
 */
public final class ManualClock implements TaskScheduler {

	public static final Instant NOW = Instant.ofEpochSecond(1_000_000);

	private final List<Task> tasks = new CopyOnWriteArrayList<>();

	/** All tasks that were ever scheduled, the cancelled ones too. */
	public List<Task> tasks() {
		return this.tasks;
	}

	/** Runs what is due at every tick. */
	public void tick() {
		this.tasks.stream().filter((task) -> !task.isCancelled()).forEach((task) -> task.runnable.run());
	}

	/** Runs even what was cancelled: it may have been too late for that. */
	public void tickLate() {
		this.tasks.forEach((task) -> task.runnable.run());
	}

	@Override
	public Clock getClock() {
		return Clock.fixed(NOW, ZoneOffset.UTC);
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable runnable, Instant start, Duration period) {
		Task task = new Task(runnable, start, period);
		this.tasks.add(task);
		return task;
	}

	@Override
	public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
		throw new UnsupportedOperationException();
	}

	/** A task of a fixed rate. */
	public static final class Task extends CompletableFuture<Void> implements ScheduledFuture<Void> {

		private final Runnable runnable;

		private final Instant start;

		private final Duration period;

		Task(Runnable runnable, Instant start, Duration period) {
			this.runnable = runnable;
			this.start = start;
			this.period = period;
		}

		public Instant start() {
			return this.start;
		}

		public Duration period() {
			return this.period;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return 0;
		}

		@Override
		public int compareTo(Delayed other) {
			return 0;
		}

	}

}
