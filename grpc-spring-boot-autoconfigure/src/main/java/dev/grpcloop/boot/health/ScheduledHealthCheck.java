package dev.grpcloop.boot.health;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.scheduling.TaskScheduler;

/**
 * Makes a check again and again, from the start of a server to its stop. One that takes
 * longer than the period is not made twice at a time: the times that it misses are left
 * out, and the log says so.
 */
final class ScheduledHealthCheck {

	private static final Log logger = LogFactory.getLog(ScheduledHealthCheck.class);

	private final HealthCheck check;

	private final Consumer<Map<String, ServingStatus>> found;

	private final ScheduledThreadPoolExecutor executor;

	private final Future<?> ticks;

	private boolean started;

	private boolean running;

	private boolean late;

	private boolean again;

	private boolean stopped;

	/**
	 * Begins to make a check.
	 * @param check the check
	 * @param schedule when to make it
	 * @param found is told what it has found
	 */
	ScheduledHealthCheck(HealthCheck check, HealthSchedule schedule, Consumer<Map<String, ServingStatus>> found) {
		this.check = check;
		this.found = found;
		TaskScheduler clock = schedule.clock();
		this.executor = executor((clock != null) ? 1 : 2);
		Duration delay = schedule.delay();
		Duration period = schedule.period();
		this.ticks = (clock != null)
				? clock.scheduleAtFixedRate(this::tick, clock.getClock().instant().plus(delay), period) : this.executor
					.scheduleAtFixedRate(this::tick, delay.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** One thread makes the check; where we keep the time ourselves, one ticks. */
	private static ScheduledThreadPoolExecutor executor(int threads) {
		AtomicInteger number = new AtomicInteger();
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(threads, (task) -> {
			Thread thread = new Thread(task, "grpc-server-health-" + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		});
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		return executor;
	}

	private synchronized void tick() {
		this.started = true;
		if (!this.running) {
			begin();
		}
		else if (!this.late) {
			this.late = true;
			logger.warn("The health check of the gRPC server is not done in time, it waits for " + this.check.progress()
					+ ". Until it is, clients are told what it has found the last time");
		}
	}

	/**
	 * Makes the check as soon as possible, once more if it runs. Does nothing before its
	 * first time: that is not to come early.
	 */
	synchronized void hurry() {
		if (this.running) {
			this.again = true;
		}
		else if (this.started) {
			begin();
		}
	}

	private void begin() {
		if (!this.stopped) {
			this.running = true;
			this.executor.execute(this::run);
		}
	}

	private void run() {
		try {
			Map<String, ServingStatus> statuses = this.check.check();
			tell(statuses);
		}
		catch (RuntimeException | Error ex) {
			logger.error("The health check of the gRPC server has failed", ex);
		}
		finally {
			end();
		}
	}

	private synchronized void tell(Map<String, ServingStatus> statuses) {
		if (!this.stopped) {
			this.found.accept(statuses);
		}
	}

	private synchronized void end() {
		boolean repeat = this.again;
		this.running = false;
		this.late = false;
		this.again = false;
		if (repeat) {
			begin();
		}
	}

	/**
	 * Ends it. A check that runs may come to its end, but nobody is told what it finds.
	 */
	synchronized void stop() {
		this.stopped = true;
		this.ticks.cancel(false);
		this.executor.shutdown();
	}

	/**
	 * Ends it, and interrupts a check that runs.
	 */
	void interrupt() {
		stop();
		this.executor.shutdownNow();
	}

}
