package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * What the connections of one event loop hold. It reports to the server's budget in
 * steps: a small call changes a plain field, twice.
 * <p>
 * Owned by the event loop, but for {@link #relieve}.
 */
public final class LoopMemory {

	private static final int MOST_UNREPORTED = 32 * 1024;

	/** To look at all connections costs something, and may be of no use. */
	private static final long RELIEF_INTERVAL_MILLIS = 50;

	private final MemoryBudget budget;

	private final ScheduledExecutorService eventLoop;

	private final Set<ConnectionMemory> connections = new LinkedHashSet<>();

	private final AtomicBoolean relieving = new AtomicBoolean();

	private final long step;

	private long unreported;

	/**
	 * Creates the account of a loop.
	 * @param budget the server's budget
	 * @param eventLoop the loop
	 */
	public LoopMemory(MemoryBudget budget, ScheduledExecutorService eventLoop) {
		this.budget = budget;
		this.eventLoop = eventLoop;
		this.step = Math.min(MOST_UNREPORTED, budget.limit() / 64);
		budget.addLoop(this);
	}

	MemoryBudget budget() {
		return this.budget;
	}

	void opened(ConnectionMemory connection) {
		this.connections.add(connection);
		this.budget.connectionOpened();
	}

	void closed(ConnectionMemory connection) {
		this.connections.remove(connection);
		this.budget.connectionClosed();
		report();
	}

	/**
	 * Ends the connection that has been silent without a call for the longest time.
	 * @return {@code false} if each has a call
	 */
	boolean makeRoom() {
		@Nullable ConnectionMemory idlest = null;
		long longest = -1;
		for (ConnectionMemory connection : this.connections) {
			long idle = connection.holder().idleNanos();
			if (idle > longest) {
				longest = idle;
				idlest = connection;
			}
		}
		if (idlest == null) {
			return false;
		}
		idlest.holder().giveWay();
		return true;
	}

	/**
	 * Bytes are held, or given back.
	 * @param bytes how many, negative if they are given back
	 */
	void add(long bytes) {
		long sum = this.unreported + bytes;
		this.unreported = sum;
		if (sum > this.step || sum < -this.step) {
			report();
		}
	}

	void report() {
		long bytes = this.unreported;
		this.unreported = 0;
		this.budget.add(bytes);
	}

	/**
	 * Has the greedy connections of the loop give something back. Any thread.
	 */
	void relieve() {
		if (this.relieving.compareAndSet(false, true)) {
			try {
				this.eventLoop.execute(this::relieveNow);
				this.eventLoop.schedule(() -> this.relieving.set(false), RELIEF_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				// the loop has been shut down, and its connections are closed
			}
		}
	}

	private void relieveNow() {
		List<ConnectionMemory> greedy = new ArrayList<>();
		for (ConnectionMemory connection : this.connections) {
			if (connection.isGreedy()) {
				greedy.add(connection);
			}
		}
		greedy.sort(Comparator.comparingLong(ConnectionMemory::held).reversed());
		for (ConnectionMemory connection : greedy) {
			report();
			if (!this.budget.isOverLimit()) {
				return;
			}
			connection.holder().giveBack();
		}
	}

}
