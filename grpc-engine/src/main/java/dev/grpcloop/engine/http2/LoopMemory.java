package dev.grpcloop.engine.http2;

/**
 * What the connections of one event loop hold. It reports to the server's budget in
 * steps: a small call changes a plain field, twice.
 * <p>
 * Owned by the event loop.
 */
public final class LoopMemory {

	private static final int MOST_UNREPORTED = 32 * 1024;

	private final MemoryBudget budget;

	private final long step;

	private long unreported;

	/**
	 * Creates the account of a loop.
	 * @param budget the server's budget
	 */
	public LoopMemory(MemoryBudget budget) {
		this.budget = budget;
		this.step = Math.min(MOST_UNREPORTED, budget.limit() / 64);
	}

	MemoryBudget budget() {
		return this.budget;
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
		this.budget.add(this.unreported);
		this.unreported = 0;
	}

}
