package dev.grpcloop.boot.statistics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Numbers that one event loop writes and any thread reads. A write is a plain load, an
 * addition and an opaque store: no locked instruction, no fence. The counters of one loop
 * share cache lines with nothing that another loop writes.
 */
final class Counters {

	/** A cache line of 64 bytes on either side. */
	private static final int PADDING = 8;

	private final AtomicLongArray cells;

	Counters(int size) {
		this.cells = new AtomicLongArray(PADDING + size + PADDING);
	}

	/**
	 * Adds to a number. Only on the loop that owns it.
	 * @param index the number
	 * @param amount how much
	 */
	void add(int index, long amount) {
		int cell = PADDING + index;
		this.cells.setOpaque(cell, this.cells.getPlain(cell) + amount);
	}

	/**
	 * Reads a number, on any thread.
	 * @param index the number
	 * @return a value that was current a moment ago, never less than one read before
	 */
	long get(int index) {
		return this.cells.getOpaque(PADDING + index);
	}

}
