package dev.grpcloop.boot.endpoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What has happened over about the last minute: the numbers as they are, less what they
 * were then. They are read every few seconds on a thread of its own, never on an event
 * loop.
 */
public final class RecentActivity implements AutoCloseable {

	private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final ServerStatistics statistics;

	private final LongSupplier nanoTime;

	private final @Nullable ScheduledThreadPoolExecutor ticks;

	/** The oldest first: it is the one that all are compared with. */
	private final Deque<Sample> samples = new ArrayDeque<>();

	RecentActivity(ServerStatistics statistics, LongSupplier nanoTime) {
		this(statistics, nanoTime, null);
	}

	private RecentActivity(ServerStatistics statistics, LongSupplier nanoTime,
			@Nullable ScheduledThreadPoolExecutor ticks) {
		this.statistics = statistics;
		this.nanoTime = nanoTime;
		this.ticks = ticks;
		sample();
	}

	/**
	 * Begins to look at numbers.
	 * @param statistics the numbers
	 * @return what has happened since, or over the last minute; to be closed
	 */
	public static RecentActivity of(ServerStatistics statistics) {
		ScheduledThreadPoolExecutor ticks = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "grpc-server-rates");
			thread.setDaemon(true);
			return thread;
		});
		RecentActivity activity = new RecentActivity(statistics, System::nanoTime, ticks);
		ticks.scheduleAtFixedRate(activity::sample, INTERVAL_NANOS, INTERVAL_NANOS, TimeUnit.NANOSECONDS);
		return activity;
	}

	/**
	 * Reads the numbers, to be compared with later.
	 */
	synchronized void sample() {
		long now = this.nanoTime.getAsLong();
		this.samples.addLast(Sample.of(this.statistics, now));
		// the oldest stays until the next one is old enough to take its place
		while (this.samples.size() > 2 && now - second().nanos() >= WINDOW_NANOS) {
			this.samples.removeFirst();
		}
	}

	private Sample second() {
		return this.samples.stream().skip(1).findFirst().orElseThrow();
	}

	/**
	 * Compares the numbers of the moment with those of about a minute ago.
	 * @return the difference
	 */
	synchronized Difference difference() {
		return new Difference(this.samples.getFirst(), Sample.of(this.statistics, this.nanoTime.getAsLong()));
	}

	@Override
	public void close() {
		if (this.ticks != null) {
			this.ticks.shutdownNow();
		}
	}

	/**
	 * Numbers of one moment.
	 *
	 * @param nanos when it was
	 * @param closed how many calls of each method had ended
	 * @param loops what each loop had done
	 */
	record Sample(long nanos, Map<MethodStatistics, Long> closed, Map<LoopStatistics, LoopTimes> loops) {

		static Sample of(ServerStatistics statistics, long nanos) {
			Map<MethodStatistics, Long> closed = new HashMap<>();
			statistics.methods().forEach((method) -> closed.put(method, method.closed()));
			Map<LoopStatistics, LoopTimes> loops = new HashMap<>();
			statistics.loops().forEach((loop) -> loops.put(loop, new LoopTimes(loop.busyNanos(), loop.waitedNanos())));
			return new Sample(nanos, closed, loops);
		}

	}

	/**
	 * What a loop has done.
	 *
	 * @param busy how long it has worked, in nanoseconds
	 * @param waited how long it has waited, in nanoseconds
	 */
	record LoopTimes(long busy, long waited) {

		static final LoopTimes NONE = new LoopTimes(0, 0);

	}

	/**
	 * What has happened between two moments.
	 *
	 * @param before the earlier
	 * @param now the later
	 */
	record Difference(Sample before, Sample now) {

		/**
		 * Returns how many calls have ended, all methods together.
		 * @return calls per second
		 */
		double rate() {
			return this.now.closed().keySet().stream().mapToDouble(this::rate).sum();
		}

		/**
		 * Returns how many calls of a method have ended.
		 * @return calls per second
		 */
		double rate(MethodStatistics method) {
			long nanos = this.now.nanos() - this.before.nanos();
			long ended = this.now.closed().getOrDefault(method, 0L) - this.before.closed().getOrDefault(method, 0L);
			return (nanos > 0) ? ended / Seconds.of(nanos) : 0;
		}

		/**
		 * Returns how much of its time a loop has worked.
		 * @return from 0 to 1; 0 also for a loop that has not woken up
		 */
		double busyShare(LoopStatistics loop) {
			LoopTimes from = this.before.loops().getOrDefault(loop, LoopTimes.NONE);
			LoopTimes to = this.now.loops().getOrDefault(loop, from);
			long busy = to.busy() - from.busy();
			long all = busy + to.waited() - from.waited();
			return (all > 0) ? (double) busy / all : 0;
		}

	}

}
