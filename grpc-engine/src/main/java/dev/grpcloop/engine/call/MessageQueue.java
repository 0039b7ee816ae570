package dev.grpcloop.engine.call;

import org.jspecify.annotations.Nullable;

/**
 * Messages on their way from the event loop, which adds, to the task that takes them: one
 * thread at each end, no lock.
 */
final class MessageQueue {

	/** The last message taken; its successor is the first that waits. Taking end. */
	private Node head = new Node(null);

	/** Adding end. */
	private Node tail = this.head;

	void add(InboundMessage message) {
		Node node = new Node(message);
		this.tail.next = node;
		this.tail = node;
	}

	/**
	 * Any thread that sees what the taking end did last.
	 */
	boolean isEmpty() {
		return this.head.next == null;
	}

	/**
	 * Returns the next message; {@code null} if there is none, or if it was dropped.
	 */
	@Nullable InboundMessage poll() {
		Node first = this.head.next;
		if (first == null) {
			return null;
		}
		InboundMessage message = first.message;
		first.message = null;
		this.head = first;
		return message;
	}

	void clear() {
		while (!isEmpty()) {
			poll();
		}
	}

	/**
	 * Lets go of what waits although the taking end may be a long time coming. The adding
	 * end; the taking end gets what it is about to take, or {@code null}.
	 */
	void drop() {
		// what was the head once leads to all that came later
		Node node = this.head;
		while ((node = node.next) != null) {
			node.message = null;
		}
	}

	private static final class Node {

		private @Nullable InboundMessage message;

		private volatile @Nullable Node next;

		Node(@Nullable InboundMessage message) {
			this.message = message;
		}

	}

}
