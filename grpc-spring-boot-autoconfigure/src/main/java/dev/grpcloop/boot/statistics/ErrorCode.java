package dev.grpcloop.boot.statistics;

/**
 * The error codes of HTTP/2 under their names and in the order of their numbers (RFC 9113
 * section 7), and one for all numbers that have no name.
 */
public enum ErrorCode {

	/** The end of something that was in order. */
	NO_ERROR,

	/** A rule was broken that has no code of its own. */
	PROTOCOL_ERROR,

	/** A fault of the side that says so. */
	INTERNAL_ERROR,

	/** More was sent than there was credit for. */
	FLOW_CONTROL_ERROR,

	/** SETTINGS were not acknowledged in time. */
	SETTINGS_TIMEOUT,

	/** A frame came for a stream that had ended. */
	STREAM_CLOSED,

	/** A frame has a length that it must not have. */
	FRAME_SIZE_ERROR,

	/** The stream was refused before anything was done for it. */
	REFUSED_STREAM,

	/** The stream is of no use any more. */
	CANCEL,

	/** The state of the header compression is lost. */
	COMPRESSION_ERROR,

	/** The connection of a CONNECT request broke. */
	CONNECT_ERROR,

	/** The other side does too much of something. */
	ENHANCE_YOUR_CALM,

	/** The encryption is too weak. */
	INADEQUATE_SECURITY,

	/** HTTP/1.1 is wanted. */
	HTTP_1_1_REQUIRED,

	/** None of the above. */
	UNKNOWN;

	private static final ErrorCode[] VALUES = values();

	/**
	 * Returns the name of a number.
	 * @param code the number, as it stands in a frame
	 * @return the name, {@link #UNKNOWN} if there is none
	 */
	static ErrorCode of(long code) {
		return (code >= 0 && code < UNKNOWN.ordinal()) ? VALUES[(int) code] : UNKNOWN;
	}

}
