package dev.grpcloop.engine.call;

import org.jspecify.annotations.Nullable;

/**
 * The deadlines of all calls of one event loop, in a wheel of {@value #SLOTS} slots that
 * turns one slot each 10 ms while there is a deadline in it. To add a deadline and to
 * take it out again, which is what nearly all calls do, costs a few assignments and no
 * memory.
 * <p>
 * A deadline further away than a turn stays in its slot until its turn has come: with 512
 * slots, one in 12 s lies in slot 1200 mod 512 = 176 and is passed over twice.
 * <p>
 * Owned by the event loop.
 */
public final class DeadlineWheel {

	static final int SLOTS = 512;

	static final long TICK_NANOS = 10_000_000;

	private final @Nullable Node[] slots = new Node[SLOTS];

	private final Clock clock;

	private final long origin;

	private final Runnable turn = this::turn;

	/** All slots up to this tick are done with. */
	private long tick;

	private int size;

	private boolean turning;

	/**
	 * Creates an empty wheel.
	 * @param clock tells the time and calls back
	 */
	public DeadlineWheel(Clock clock) {
		this.clock = clock;
		this.origin = clock.nanoTime();
	}

	void add(Node node, long deadlineNanos) {
		if (this.size++ == 0) {
			this.tick = Math.max(this.tick, tickBefore(this.clock.nanoTime()));
		}
		node.tick = Math.max(this.tick + 1, tickBefore(deadlineNanos) + 1);
		int slot = slot(node.tick);
		Node first = this.slots[slot];
		node.previous = null;
		node.next = first;
		if (first != null) {
			first.previous = node;
		}
		this.slots[slot] = node;
		node.waiting = true;
		if (!this.turning) {
			this.turning = true;
			this.clock.schedule(this.turn, TICK_NANOS);
		}
	}

	private long tickBefore(long nanos) {
		return Math.floorDiv(nanos - this.origin, TICK_NANOS);
	}

	private static int slot(long tick) {
		return (int) (tick & (SLOTS - 1));
	}

	/**
	 * Takes a node out, if it is in.
	 */
	void remove(Node node) {
		if (node.waiting) {
			unlink(node);
		}
	}

	private void unlink(Node node) {
		node.waiting = false;
		this.size--;
		if (node.previous != null) {
			node.previous.next = node.next;
		}
		else {
			this.slots[slot(node.tick)] = node.next;
		}
		if (node.next != null) {
			node.next.previous = node.previous;
		}
		node.previous = null;
		node.next = null;
	}

	private void turn() {
		this.turning = false;
		long now = tickBefore(this.clock.nanoTime());
		long last = Math.min(now, this.tick + SLOTS);
		for (long t = this.tick + 1; t <= last; t++) {
			expire(slot(t), now);
		}
		this.tick = Math.max(this.tick, now);
		if (this.size > 0 && !this.turning) {
			this.turning = true;
			this.clock.schedule(this.turn, TICK_NANOS);
		}
	}

	private void expire(int slot, long now) {
		Node node = this.slots[slot];
		while (node != null) {
			if (node.tick <= now) {
				unlink(node);
				node.deadlineExpired();
				// what that did may have changed the slot
				node = this.slots[slot];
			}
			else {
				node = node.next;
			}
		}
	}

	int size() {
		return this.size;
	}

	/**
	 * Something with a deadline.
	 */
	abstract static class Node {

		private @Nullable Node previous;

		private @Nullable Node next;

		private long tick;

		private boolean waiting;

		/**
		 * The deadline has passed. The node is no longer in the wheel.
		 */
		abstract void deadlineExpired();

	}

	/**
	 * The event loop's time.
	 */
	public interface Clock {

		/**
		 * Returns the time as {@link System#nanoTime()} tells it.
		 * @return nanoseconds
		 */
		long nanoTime();

		/**
		 * Runs a task on the event loop, later.
		 * @param task the task
		 * @param delayNanos in how many nanoseconds
		 */
		void schedule(Runnable task, long delayNanos);

	}

}
