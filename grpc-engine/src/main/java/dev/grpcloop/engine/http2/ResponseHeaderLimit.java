package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.message.StatusCodec;
import org.jspecify.annotations.Nullable;

/**
 * How large a header list the peer accepts: its SETTINGS_MAX_HEADER_LIST_SIZE, counted as
 * RFC 9113 section 6.5.2 says, the lengths of names and values and 32 bytes for each
 * field. Without the setting nothing is limited. A status that does not fit is cut to
 * what does, so that it costs no call and no connection (case B20).
 */
final class ResponseHeaderLimit {

	private static final int FIELD_OVERHEAD = 32;

	private static final int STATUS = field(":status", 3);

	private static final int RESPONSE = STATUS + field("content-type", "application/grpc".length());

	private static final int REFUSAL = STATUS + field("content-type", "text/plain; charset=utf-8".length());

	private static final int GRPC_STATUS = field("grpc-status", 2);

	private static final int GRPC_MESSAGE = field("grpc-message", 0);

	private static final int GRPC_ENCODING = field("grpc-encoding", 0);

	private static final int GRPC_ACCEPT_ENCODING = field("grpc-accept-encoding", 0);

	private long max = Long.MAX_VALUE;

	private static int field(String name, int valueLength) {
		return name.length() + valueLength + FIELD_OVERHEAD;
	}

	/**
	 * The peer sent the setting.
	 * @param bytes any unsigned 32-bit value
	 */
	void max(long bytes) {
		this.max = bytes;
	}

	long max() {
		return this.max;
	}

	/**
	 * Returns how large the header list of response headers is.
	 */
	static long size(int acceptEncoding, byte @Nullable [] encoding, byte[][] metadata) {
		long size = RESPONSE + sizeOf(metadata) + GRPC_ACCEPT_ENCODING + acceptEncoding;
		return (encoding != null) ? size + GRPC_ENCODING + encoding.length : size;
	}

	/**
	 * Whether trailers have room for their metadata, if need be without a message.
	 */
	boolean allows(byte[][] metadata, boolean trailersOnly) {
		return metadata.length == 0 || this.max == Long.MAX_VALUE || sizeOf(metadata) <= room(trailersOnly);
	}

	/**
	 * Cuts a status message to the room that the other fields of trailers leave.
	 * @return {@code null} if there is no room at all
	 */
	byte @Nullable [] cut(byte @Nullable [] message, byte[][] metadata, boolean trailersOnly) {
		if (message == null || this.max == Long.MAX_VALUE) {
			return message;
		}
		return StatusCodec.cut(message, room(trailersOnly) - sizeOf(metadata) - GRPC_MESSAGE);
	}

	/**
	 * Cuts the status message of an answer in HTTP terms.
	 */
	byte[] cutRefusal(byte[] message) {
		byte[] cut = StatusCodec.cut(message, this.max - REFUSAL - GRPC_STATUS - GRPC_MESSAGE);
		return (cut != null) ? cut : new byte[0];
	}

	private long room(boolean trailersOnly) {
		return this.max - GRPC_STATUS - (trailersOnly ? RESPONSE : 0);
	}

	private static long sizeOf(byte[][] metadata) {
		long size = 0;
		for (int i = 0; i < metadata.length; i += 2) {
			size += metadata[i].length + metadata[i + 1].length + FIELD_OVERHEAD;
		}
		return size;
	}

}
