package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2Error;

/**
 * The PING frames of the peer (RFC 9113 section 6.7): each is answered with its own
 * content, unless it is one too many; an answer to none of the server's is idle.
 * <p>
 * Owned by the event loop.
 */
final class PingExchange {

	/** gRPC A8 wants it to the letter. */
	private static final String TOO_MANY_PINGS = "too_many_pings";

	private final Http2Connection connection;

	private final PingStrikes strikes;

	/** How many answers have come. */
	private int acks;

	PingExchange(Http2Connection connection) {
		this.connection = connection;
		this.strikes = new PingStrikes(connection.policy().life());
	}

	/**
	 * PING was read.
	 */
	void read(long content) {
		if (this.connection.frames().takeAnswered()) {
			this.strikes.reset();
		}
		if (this.strikes.isTooMany(this.connection.batch().nanos(), !this.connection.streams().isEmpty())) {
			this.connection.errors().tripped(Guard.TOO_MANY_PINGS, Http2Error.ENHANCE_YOUR_CALM, TOO_MANY_PINGS);
			return;
		}
		this.connection.frames().ping(true, content);
		this.connection.wrote();
	}

	/**
	 * PING with ACK was read.
	 */
	void ackRead(long content) throws AbuseException {
		if (this.acks == this.connection.frames().pings()) {
			this.connection.abuse().idleFrame();
		}
		else {
			this.acks++;
		}
		this.connection.closing().onPingAck(content);
	}

}
