package dev.grpcloop.engine.http2;

import io.grpc.Status;

/**
 * What one connection holds of the server's {@link MemoryBudget}.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionMemory {

	/** A connection that does nothing. */
	static final int CONNECTION_BYTES = 8 * 1024;

	/** A call that has received and sent nothing, but for its header fields. */
	static final int CALL_BYTES = 2 * 1024;

	/** An array in a queue, but for its content. */
	static final int ENTRY_BYTES = 32;

	private final LoopMemory loop;

	private final MemoryBudget budget;

	private final Runnable relief;

	private long held;

	/**
	 * Creates the account of a connection.
	 * @param loop the account of its loop
	 * @param relief makes the connection give back what it holds more than its share
	 */
	ConnectionMemory(LoopMemory loop, Runnable relief) {
		this.loop = loop;
		this.relief = relief;
		this.budget = loop.budget();
	}

	/**
	 * The connection begins.
	 * @return {@code false} if there is no room for it
	 */
	boolean open() {
		boolean room = !this.budget.isFull();
		this.loop.opened(this);
		add(CONNECTION_BYTES);
		return room;
	}

	/**
	 * The connection has ended, and given back what it held.
	 */
	void close() {
		add(-CONNECTION_BYTES);
		this.loop.closed(this);
	}

	/**
	 * Bytes are held, or given back.
	 * @param bytes how many, negative if they are given back
	 */
	void add(long bytes) {
		this.held += bytes;
		this.loop.add(bytes);
	}

	void relieve() {
		this.relief.run();
	}

	long held() {
		return this.held;
	}

	/**
	 * Whether the connection may hold more than it does.
	 */
	boolean mayGrow() {
		return !this.budget.isOverLimit() || (this.held <= this.budget.share() && !this.budget.isFull());
	}

	/**
	 * Whether the connection holds more than its share of what has become scarce.
	 */
	boolean isGreedy() {
		return this.budget.isOverLimit() && this.held > this.budget.share();
	}

	/**
	 * What the connection may have while the memory is scarce.
	 */
	long share() {
		return this.budget.share();
	}

	/**
	 * Whether nobody gets more.
	 */
	boolean isFull() {
		return this.budget.isFull();
	}

	/**
	 * Why the connection does not get more.
	 */
	Status exhausted() {
		return Status.RESOURCE_EXHAUSTED.withDescription("The server holds " + this.budget.used()
				+ " bytes for its clients, " + this.held + " of them for this connection; its limit is "
				+ this.budget.limit() + ", of which a connection may have " + this.budget.share());
	}

}
