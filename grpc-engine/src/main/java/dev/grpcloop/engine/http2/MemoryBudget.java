package dev.grpcloop.engine.http2;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.util.internal.PlatformDependent;

/**
 * The bytes that a server holds for its clients, over all connections: what each open
 * call costs by itself, requests and parts of requests that no service is done with, what
 * they become when they are decompressed off the event loop, and responses that wait for
 * credit or for the socket.
 * <p>
 * Up to the limit everybody gets what he asks for. From there on a connection gets more
 * only while it holds no more than its fair share, the limit divided by the connections,
 * so that a few greedy ones do not take the memory of the others. From 1.25 times the
 * limit on those that hold more have to give it back: their calls end, the largest first,
 * and if that is not enough the connection. From twice the limit on, which only a flood
 * of modest connections reaches, nobody gets more and new connections are closed.
 * <p>
 * Connections that do nothing are counted apart, or a few thousand silent ones would
 * leave nothing for those that work: all connections together may cost twice the limit.
 * <p>
 * With a limit of 16 MiB and 50 connections each may have 320 KiB, whatever the others
 * have.
 * <p>
 * Any thread. The loops {@linkplain LoopMemory report} in steps, so the sum is a little
 * behind.
 */
public final class MemoryBudget {

	/** The smallest limit. */
	public static final long MIN_LIMIT = 1024 * 1024;

	/** A connection with a few small calls gets on with this. */
	private static final long MIN_SHARE = 16 * 1024;

	/** What a connection costs that does nothing. */
	static final long CONNECTION_BYTES = 8 * 1024;

	private final long limit;

	private final AtomicLong used = new AtomicLong();

	private final AtomicInteger connections = new AtomicInteger();

	private final List<LoopMemory> loops = new CopyOnWriteArrayList<>();

	/**
	 * Creates a budget.
	 * @param limit the limit in bytes, at least {@link #MIN_LIMIT}
	 */
	public MemoryBudget(long limit) {
		if (limit < MIN_LIMIT) {
			throw new IllegalArgumentException(
					"The limit of buffered bytes is " + limit + "; it must be at least " + MIN_LIMIT);
		}
		this.limit = limit;
	}

	/**
	 * Returns the limit of a server that was told none: a quarter of what the JVM may
	 * have of direct memory or of heap, whichever is less, since responses end in the one
	 * and requests in the other.
	 * @return the limit in bytes
	 */
	public static long defaultLimit() {
		long memory = Math.min(PlatformDependent.maxDirectMemory(), Runtime.getRuntime().maxMemory());
		return Math.max(MIN_LIMIT, memory / 4);
	}

	/**
	 * Returns how much is held.
	 * @return bytes
	 */
	public long used() {
		// one loop may have said what it gave back before another what it took
		return Math.max(0, this.used.get());
	}

	/**
	 * Returns the limit.
	 * @return bytes
	 */
	public long limit() {
		return this.limit;
	}

	boolean isOverLimit() {
		return this.used.get() > this.limit;
	}

	/**
	 * Whether so much is held that nobody gets more.
	 */
	boolean isFull() {
		return this.used.get() > 2 * this.limit;
	}

	/**
	 * Whether there is room for one more connection.
	 */
	boolean hasRoom() {
		return (this.connections.get() + 1) * CONNECTION_BYTES <= 2 * this.limit;
	}

	/**
	 * What a connection may hold in any case, unless the budget is full.
	 */
	long share() {
		return Math.max(MIN_SHARE, this.limit / Math.max(1, this.connections.get()));
	}

	void connectionOpened() {
		this.connections.incrementAndGet();
	}

	void connectionClosed() {
		this.connections.decrementAndGet();
	}

	void addLoop(LoopMemory loop) {
		this.loops.add(loop);
	}

	/**
	 * Adds bytes unless the limit is exceeded then.
	 * @param bytes how many
	 * @param held what the connection holds with them: up to its share it gets them
	 * though memory is scarce, unless the budget is full
	 * @return whether they were added
	 */
	boolean tryAdd(long bytes, long held) {
		long sum = this.used.addAndGet(bytes);
		if (sum <= this.limit || (held <= share() && sum <= 2 * this.limit)) {
			return true;
		}
		this.used.addAndGet(-bytes);
		return false;
	}

	void add(long bytes) {
		long sum = this.used.addAndGet(bytes);
		if (bytes > 0 && sum > this.limit + this.limit / 4) {
			this.loops.forEach(LoopMemory::relieve);
		}
	}

}
