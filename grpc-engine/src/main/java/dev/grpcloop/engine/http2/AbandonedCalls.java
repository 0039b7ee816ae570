package dev.grpcloop.engine.http2;

/**
 * The calls of one connection whose stream is gone and whose service code is not done
 * with them: it runs, or waits for a thread, off the event loop. They count against the
 * limit of streams, or a peer could have any number of them run by resetting streams
 * (CVE-2023-44487, CVE-2025-8671; case B34).
 * <p>
 * Owned by the event loop.
 */
final class AbandonedCalls {

	private int count;

	void add() {
		this.count++;
	}

	void remove() {
		this.count--;
	}

	int count() {
		return this.count;
	}

}
