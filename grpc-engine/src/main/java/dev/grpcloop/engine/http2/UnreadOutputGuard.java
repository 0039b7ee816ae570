package dev.grpcloop.engine.http2;

/**
 * Ends the connection of a peer that asks for answers and does not read them
 * (CVE-2019-9512, -9514, -9515; case B37). Messages stop when the socket is full; what
 * goes on are the answers to PING, SETTINGS and refused requests, which no window limits.
 * <p>
 * While the server holds too much for its clients, less of them is too much. Owned by the
 * event loop.
 */
final class UnreadOutputGuard {

	/** Room for the status of a thousand calls that all fail at once, at length. */
	static final long LIMIT = 8 * 1024 * 1024;

	/**
	 * More than messages fill, which stop when 128 KiB wait and come in pieces of 64 KiB.
	 */
	static final long SCARCE_LIMIT = 256 * 1024;

	private final ConnectionMemory memory;

	UnreadOutputGuard(ConnectionMemory memory) {
		this.memory = memory;
	}

	/**
	 * Whether more waits for the peer than an honest one lets gather.
	 * @param waiting how many bytes wait for the socket
	 */
	boolean isExceeded(long waiting) {
		return waiting > LIMIT || (this.memory.isGreedy() && waiting > scarceLimit());
	}

	private long scarceLimit() {
		return this.memory.isFull() ? this.memory.share() : Math.max(SCARCE_LIMIT, this.memory.share());
	}

}
