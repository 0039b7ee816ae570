package dev.grpcloop.engine.http2;

import java.util.concurrent.atomic.AtomicLong;

import io.grpc.Status;

/**
 * What one connection holds of the server's {@link MemoryBudget}.
 * <p>
 * Owned by the event loop, but for what is taken off it.
 */
final class ConnectionMemory {

	/** A call that has received and sent nothing, but for its header fields. */
	static final int CALL_BYTES = 2 * 1024;

	/** An array in a queue, but for its content. */
	static final int ENTRY_BYTES = 32;

	private final LoopMemory loop;

	private final MemoryBudget budget;

	private final Holder holder;

	private long held;

	/** What threads of services hold. It may be there longer than the connection. */
	private final AtomicLong offLoop = new AtomicLong();

	/**
	 * Creates the account of a connection.
	 * @param loop the account of its loop
	 * @param holder the connection
	 */
	ConnectionMemory(LoopMemory loop, Holder holder) {
		this.loop = loop;
		this.holder = holder;
		this.budget = loop.budget();
	}

	/**
	 * The connection begins. If there are too many, the one goes that has been of no use
	 * for the longest time.
	 * @return {@code false} if there is no room for it
	 */
	boolean open() {
		boolean room = !this.budget.isFull() && (this.budget.hasRoom() || this.loop.makeRoom());
		this.loop.opened(this);
		return room;
	}

	/**
	 * The connection has ended, and given back what it held.
	 */
	void close() {
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

	/**
	 * Bytes are to be held off the event loop. Any thread.
	 * @param bytes how many
	 * @return {@code false} if the connection may not hold more, and does not
	 */
	boolean tryAddOffLoop(long bytes) {
		long sum = this.offLoop.addAndGet(bytes);
		if (this.budget.tryAdd(bytes, sum)) {
			return true;
		}
		this.offLoop.addAndGet(-bytes);
		return false;
	}

	/**
	 * What was held off the event loop is given back. Any thread.
	 */
	void giveBackOffLoop(long bytes) {
		this.offLoop.addAndGet(-bytes);
		this.budget.add(-bytes);
	}

	Holder holder() {
		return this.holder;
	}

	/**
	 * All that is held, on the event loop and off it.
	 */
	long held() {
		return this.held + this.offLoop.get();
	}

	/**
	 * Whether the connection may hold more than it does.
	 */
	boolean mayGrow() {
		return !this.budget.isOverLimit() || (held() <= this.budget.share() && !this.budget.isFull());
	}

	/**
	 * Whether the connection holds more than its share of what has become scarce.
	 */
	boolean isGreedy() {
		return this.budget.isOverLimit() && held() > this.budget.share();
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
				+ " bytes for its clients, " + held() + " of them for this connection; its limit is "
				+ this.budget.limit() + ", of which a connection may have " + this.budget.share());
	}

	/**
	 * What the account may ask of its connection.
	 */
	interface Holder {

		/**
		 * Gives back what is more than the connection's share.
		 */
		void giveBack();

		/**
		 * Returns for how long the connection has been silent and without a call.
		 * @return nanoseconds, negative if it has a call or is about to end
		 */
		long idleNanos();

		/**
		 * Ends the connection for the sake of another.
		 */
		void giveWay();

	}

}
