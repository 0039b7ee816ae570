package dev.grpcloop.engine.http2;

import java.util.Locale;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * A guard has tripped while frames are read: none that follows is looked at, and the
 * connection ends with GOAWAY(ENHANCE_YOUR_CALM) (RFC 9113 section 10.5).
 */
final class AbuseException extends Http2Exception {

	private static final long serialVersionUID = 1L;

	private final Guard guard;

	private final String reason;

	AbuseException(Guard guard, String reason) {
		super(Http2Error.ENHANCE_YOUR_CALM, debugData(guard, reason));
		this.guard = guard;
		this.reason = reason;
	}

	Guard guard() {
		return this.guard;
	}

	String reason() {
		return this.reason;
	}

	/**
	 * What the peer is told: the name of the guard, and why it tripped.
	 */
	static String debugData(Guard guard, String reason) {
		return guard.name().toLowerCase(Locale.ROOT) + ": " + reason;
	}

}
