package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

/**
 * How long a connection may live, and how its life is looked after. All times are in
 * nanoseconds; {@link #NEVER} stands for no limit.
 *
 * @param handshakeNanos how long the preface, the first SETTINGS and the acknowledgement
 * of the server's may take, from the accept
 * @param headersNanos how long a header block or a frame may stay incomplete
 * @param stallNanos how long the peer may not take a byte while bytes wait for it
 * @param keepAliveNanos how long the peer may be silent before the server pings it
 * @param keepAliveTimeoutNanos how long any life sign may take after that
 * @param permitNanos the least time between two pings of the peer
 * @param permitWithoutCalls whether the peer may ping as often without a call
 * @param maxIdleNanos how long a connection may be without a call
 * @param maxAgeNanos how old a connection may become from its handshake on, give or take
 * a tenth
 * @param ageGraceNanos how long the calls of a connection that is too old may go on
 */
public record ConnectionLife(long handshakeNanos, long headersNanos, long stallNanos, long keepAliveNanos,
		long keepAliveTimeoutNanos, long permitNanos, boolean permitWithoutCalls, long maxIdleNanos, long maxAgeNanos,
		long ageGraceNanos) {

	/** No limit. */
	public static final long NEVER = Long.MAX_VALUE;

	/** What a server grants that was told nothing. */
	public static final ConnectionLife DEFAULT = new ConnectionLife(TimeUnit.SECONDS.toNanos(20),
			TimeUnit.SECONDS.toNanos(30), TimeUnit.SECONDS.toNanos(60), TimeUnit.HOURS.toNanos(2),
			TimeUnit.SECONDS.toNanos(20), TimeUnit.MINUTES.toNanos(5), false, NEVER, NEVER, NEVER);

}
