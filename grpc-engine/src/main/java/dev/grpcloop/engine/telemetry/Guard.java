package dev.grpcloop.engine.telemetry;

/**
 * The protections against peers that misbehave or are gone. Each closes the connection
 * when it trips, unless it says otherwise.
 */
public enum Guard {

	/** Too many calls begun and reset by the client (CVE-2023-44487, case B34). */
	RAPID_RESET,

	/**
	 * Too many streams that the server had to reset or refuse for faults of the client
	 * (CVE-2025-8671, "MadeYouReset").
	 */
	PROTOCOL_FAULTS,

	/** A header block in too many small pieces (CVE-2024-27316, case B36). */
	CONTINUATION_FLOOD,

	/**
	 * A header block, or a frame, that was begun and not completed in time (case B36).
	 */
	HEADERS_TIMEOUT,

	/** More pings than the keepalive permit allows (gRPC A8, case B40). */
	TOO_MANY_PINGS,

	/** Too many SETTINGS frames (CVE-2019-9515, case B37). */
	SETTINGS_FLOOD,

	/**
	 * Too many frames that change nothing: PRIORITY, unknown types, idle WINDOW_UPDATE.
	 */
	CONTROL_FLOOD,

	/** Too many DATA frames without data (CVE-2019-9518, case B37). */
	EMPTY_FRAMES,

	/** Too many DATA frames made tiny by tiny windows (CVE-2019-9511, case B38). */
	TINY_WINDOWS,

	/** Too many answers that the client does not read (CVE-2019-9517, case B37). */
	UNREAD_OUTPUT,

	/** A client that has not taken a byte for too long (case B38). */
	WRITE_STALL,

	/**
	 * No preface, no SETTINGS or no acknowledgement of the server's in time (case B42).
	 */
	HANDSHAKE_TIMEOUT,

	/** No life sign after the server's keepalive ping (gRPC A9, case B40). */
	KEEPALIVE_TIMEOUT,

	/** Something else than HTTP/2 was spoken (case B42). */
	FOREIGN_PROTOCOL,

	/**
	 * The bytes that the server holds for its clients reached the limit: a call was ended
	 * or refused with RESOURCE_EXHAUSTED, or a connection was closed.
	 */
	MEMORY

}
