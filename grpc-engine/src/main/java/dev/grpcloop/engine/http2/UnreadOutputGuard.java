package dev.grpcloop.engine.http2;

import io.netty.channel.Channel;

/**
 * Ends the connection of a peer that asks for answers and does not read them
 * (CVE-2019-9512, -9514, -9515; case B37). Messages stop when the socket is full; what
 * goes on are the answers to PING, SETTINGS and refused requests, which no window limits.
 * <p>
 * Owned by the event loop.
 */
final class UnreadOutputGuard {

	/** Room for the status of a thousand calls that all fail at once, at length. */
	static final long LIMIT = 8 * 1024 * 1024;

	private final Channel channel;

	UnreadOutputGuard(Channel channel) {
		this.channel = channel;
	}

	/**
	 * Whether more waits for the peer than an honest one lets gather.
	 */
	boolean isExceeded() {
		return !this.channel.isWritable() && this.channel.bytesBeforeWritable() > LIMIT;
	}

}
