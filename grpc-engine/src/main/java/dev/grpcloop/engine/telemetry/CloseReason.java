package dev.grpcloop.engine.telemetry;

/**
 * Why a connection ended. The first reason counts: a connection that a guard has cut off
 * and that the client then closes was ended by the guard.
 */
public enum CloseReason {

	/** The client closed it, or it broke. */
	PEER,

	/**
	 * The client broke a rule of HTTP/2, and the connection ended with GOAWAY (RFC 9113
	 * section 5.4.1).
	 */
	PROTOCOL_ERROR,

	/** One of the {@link Guard guards} has tripped. */
	GUARD,

	/** No call ran for the idle time of a connection (gRPC A9). */
	IDLE,

	/** The connection had reached its greatest age (gRPC A9). */
	AGE,

	/** The server stopped, or its event loop. */
	SHUTDOWN,

	/** A transport filter of the server did not want it. */
	REFUSED,

	/** A fault of the server. */
	SERVER_ERROR

}
