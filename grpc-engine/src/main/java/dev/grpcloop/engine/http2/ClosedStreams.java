package dev.grpcloop.engine.http2;

/**
 * The streams that the peer itself has ended last. What it still sends on one of them is
 * a fault (RFC 9113 section 5.1, "closed"); on a stream that the server gave up it may
 * have crossed the server's frame on the wire. A stream that is neither remembered here
 * nor open gets the benefit of the doubt.
 * <p>
 * Owned by the event loop.
 */
final class ClosedStreams {

	private static final int REMEMBERED = 32;

	private final int[] ids = new int[REMEMBERED];

	private int next;

	void add(int streamId) {
		this.ids[this.next] = streamId;
		this.next = (this.next + 1) % REMEMBERED;
	}

	boolean contains(int streamId) {
		for (int id : this.ids) {
			if (id == streamId) {
				return true;
			}
		}
		return false;
	}

}
