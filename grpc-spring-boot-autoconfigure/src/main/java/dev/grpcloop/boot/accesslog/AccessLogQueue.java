package dev.grpcloop.boot.accesslog;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What waits to be written, and the thread that writes it. Who adds never waits: neither
 * for a lock nor for room.
 */
final class AccessLogQueue implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(AccessLogQueue.class);

	/** How often the log says that calls are missing, while some are. */
	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

	/** How long the writing of what waits may take at the end. */
	private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

	private final int capacity;

	private final Consumer<CallRecord> writer;

	private final Queue<CallRecord> calls = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	private final LongAdder dropped = new LongAdder();

	private final Thread thread = new Thread(this::run, "grpc-access-log");

	/** Set by the thread before it sleeps, taken by the one that wakes it. */
	private final AtomicBoolean asleep = new AtomicBoolean();

	private volatile boolean closed;

	// the thread's

	private long reported;

	private long reportedAt = System.nanoTime() - REPORT_INTERVAL.toNanos();

	AccessLogQueue(int capacity, Consumer<CallRecord> writer) {
		this.capacity = capacity;
		this.writer = writer;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Adds a call, if there is room.
	 * @param call the call
	 */
	void add(CallRecord call) {
		if (this.closed) {
			this.dropped.increment();
		}
		else if (this.size.incrementAndGet() > this.capacity) {
			this.size.decrementAndGet();
			this.dropped.increment();
		}
		else {
			this.calls.add(call);
			wake();
		}
	}

	private void wake() {
		if (this.asleep.get() && this.asleep.compareAndSet(true, false)) {
			LockSupport.unpark(this.thread);
		}
	}

	LongSupplier dropped() {
		return this.dropped::sum;
	}

	private void run() {
		while (!this.closed) {
			writeAll();
			long wait = report(false);
			this.asleep.set(true);
			// what came before it slept has woken nobody
			if (this.calls.isEmpty() && !this.closed) {
				park(wait);
			}
			this.asleep.set(false);
		}
		writeAll();
		report(true);
	}

	private void park(long nanos) {
		if (nanos > 0) {
			LockSupport.parkNanos(this, nanos);
		}
		else {
			LockSupport.park(this);
		}
	}

	private void writeAll() {
		for (CallRecord call = this.calls.poll(); call != null; call = this.calls.poll()) {
			this.size.decrementAndGet();
			try {
				this.writer.accept(call);
			}
			catch (RuntimeException ex) {
				this.dropped.increment();
				logger.debug("The access log could not be written", ex);
			}
		}
	}

	/**
	 * Says how many calls are missing.
	 * @param now whether even if it was said a moment ago
	 * @return after how many nanoseconds it is to be said; 0 if there is nothing to say
	 */
	private long report(boolean now) {
		long missing = this.dropped.sum() - this.reported;
		if (missing == 0) {
			return 0;
		}
		long time = System.nanoTime();
		long wait = this.reportedAt + REPORT_INTERVAL.toNanos() - time;
		if (!now && wait > 0) {
			return wait;
		}
		this.reported += missing;
		this.reportedAt = time;
		logger.warn(missing + " calls are missing in the access log: more than " + this.capacity
				+ " lines waited to be written (grpc.server.access-log.queue-capacity), or its appender has failed");
		return 0;
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
		try {
			this.thread.join(CLOSE_TIME.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
