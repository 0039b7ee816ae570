package dev.grpcloop.engine.call;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * What other threads want done on a connection's event loop. Any thread posts, the loop
 * drains. A node that is already posted is not posted again, and only the post that finds
 * the queue empty wakes the loop, so a busy connection costs no wake-up a call.
 * <p>
 * The queue is a stack of nodes that link themselves; the loop takes it whole and turns
 * it round, which keeps the order of the posts.
 */
public final class PostQueue {

	private final AtomicReference<@Nullable Node> top = new AtomicReference<>();

	private final Executor eventLoop;

	private final Runnable drainTask;

	/**
	 * Creates a queue.
	 * @param eventLoop runs the drain task
	 * @param drainTask must call {@link #drain()}
	 */
	public PostQueue(Executor eventLoop, Runnable drainTask) {
		this.eventLoop = eventLoop;
		this.drainTask = drainTask;
	}

	/**
	 * Posts a node. Any thread.
	 * @param node the node to run
	 */
	public void post(Node node) {
		if (!node.claim()) {
			return;
		}
		Node previous;
		do {
			previous = this.top.get();
			node.next = previous;
		}
		while (!this.top.compareAndSet(previous, node));
		if (previous == null) {
			try {
				this.eventLoop.execute(this.drainTask);
			}
			catch (RejectedExecutionException ex) {
				// the loop has been shut down: the connection is closed and its calls
				// ended
			}
		}
	}

	/**
	 * Runs all posted nodes. The event loop only.
	 */
	public void drain() {
		// taking the stack empties it before any node runs: a post from now on wakes the
		// loop again
		Node node = reverse(this.top.getAndSet(null));
		while (node != null) {
			Node next = node.next;
			node.next = null;
			node.release();
			try {
				node.run();
			}
			catch (Throwable ex) {
				// the nodes behind this one belong to other calls
				CallDelivery.LOGGER.log(System.Logger.Level.ERROR, "A fault of the server in what a call has posted",
						ex);
			}
			node = next;
		}
	}

	private static @Nullable Node reverse(@Nullable Node top) {
		Node reversed = null;
		Node node = top;
		while (node != null) {
			Node next = node.next;
			node.next = reversed;
			reversed = node;
			node = next;
		}
		return reversed;
	}

	/**
	 * Something to run on the loop. It is in the queue once at most.
	 */
	public abstract static class Node {

		private static final AtomicIntegerFieldUpdater<Node> POSTED = AtomicIntegerFieldUpdater.newUpdater(Node.class,
				"posted");

		private volatile int posted;

		private @Nullable Node next;

		private boolean claim() {
			return this.posted == 0 && POSTED.compareAndSet(this, 0, 1);
		}

		private void release() {
			this.posted = 0;
		}

		/**
		 * Does the work. What is posted after this method has begun runs in another
		 * round.
		 */
		protected abstract void run();

	}

}
