package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes all header blocks of one connection in HPACK (RFC 7541), in the order in which
 * they go to the wire. Owned by the connection's event loop.
 *
 * <p>
 * Three fields that nearly every answer has enter the peer's dynamic table when they are
 * first needed, each once: {@code content-type: application/grpc},
 * {@code grpc-accept-encoding} and {@code grpc-status: 0}. From then on each is one byte,
 * <pre>index = 62 + (inserts so far - inserts when the field had just entered)</pre> so
 * that the entry which came last is 62 and every later insert moves the earlier ones up
 * by one. Example: after content-type, accept-encoding, status, they are 64, 63 and 62;
 * response headers are {@code 88 C0 BF} and trailers {@code BE}. If a call ended with a
 * lone trailers block before any other had answered, the order of the inserts, and with
 * it the numbers, differ. Everything else is a literal without indexing and without
 * Huffman code, so the table holds nothing but these entries, and they never evict each
 * other: where they do not all fit, none is used.
 *
 * <p>
 * A block that is given up half-way leaves its inserts behind here but not at the peer.
 * Take a {@link #mark()} before a block and {@link #reset} together with the buffer's
 * writer index if anything throws.
 */
final class HeaderBlockWriter {

	private static final int MAX_TABLE_SIZE = 4096;

	private static final int ENTRY_OVERHEAD = 32;

	private static final int FIRST_DYNAMIC_INDEX = 62;

	private static final int STATUS_NAME = 8;

	private static final int STATUS_200 = 8;

	private static final int CONTENT_TYPE_NAME = 31;

	private static final byte[] STATUS = ascii(":status");

	private static final byte[] CONTENT_TYPE = ascii("content-type");

	private static final byte[] ACCEPT_ENCODING = ascii("grpc-accept-encoding");

	private static final byte[] ENCODING = ascii("grpc-encoding");

	private static final byte[] GRPC_STATUS = ascii("grpc-status");

	private static final byte[] GRPC_MESSAGE = ascii("grpc-message");

	private static final byte[] APPLICATION_GRPC = ascii("application/grpc");

	private static final byte[] TEXT_PLAIN = ascii("text/plain; charset=utf-8");

	private static final byte[] OK = ascii("0");

	/** Two table size updates, {@code :status} and the protocol's other fields. */
	private static final int FIXED_BOUND = 8 * HpackFields.MAX_OVERHEAD + CONTENT_TYPE.length + TEXT_PLAIN.length
			+ ACCEPT_ENCODING.length + ENCODING.length + GRPC_STATUS.length + 2 + GRPC_MESSAGE.length;

	/** The slots of the three entries: bit positions in {@link #entries}. */
	private static final int CONTENT_TYPE_SLOT = 2;

	private static final int ACCEPT_ENCODING_SLOT = 4;

	private static final int GRPC_STATUS_SLOT = 6;

	private final byte @Nullable [] acceptEncoding;

	/** What the three entries take in the table together. */
	private final int entriesSize;

	/**
	 * Two bits each: the number of inserts, then for every slot which insert it was, from
	 * 1; 0 for an entry that is not in the table.
	 */
	private int entries;

	/** The table size that the blocks written so far have told the peer. */
	private int tableSize = MAX_TABLE_SIZE;

	/** The size for the next block: the peer's limit, at most ours. */
	private int nextTableSize = MAX_TABLE_SIZE;

	/** The smallest of the sizes since the last block, which the peer evicted by. */
	private int smallestTableSize = MAX_TABLE_SIZE;

	/**
	 * Creates the writer of a new connection.
	 * @param acceptEncoding the value of {@code grpc-accept-encoding} in response
	 * headers, or {@code null} to leave the field out; printable ASCII
	 */
	HeaderBlockWriter(byte @Nullable [] acceptEncoding) {
		this.acceptEncoding = acceptEncoding;
		int size = entrySize(CONTENT_TYPE, APPLICATION_GRPC) + entrySize(GRPC_STATUS, OK);
		if (acceptEncoding != null) {
			size += entrySize(ACCEPT_ENCODING, acceptEncoding);
		}
		this.entriesSize = size;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static int entrySize(byte[] name, byte[] value) {
		return name.length + value.length + ENTRY_OVERHEAD;
	}

	/**
	 * The peer's limit is this small for a moment: another value follows in the same
	 * settings.
	 * @param size the limit in bytes
	 */
	void peerTableSizeAtMost(long size) {
		this.nextTableSize = (int) Math.min(size, this.nextTableSize);
		this.smallestTableSize = Math.min(this.smallestTableSize, this.nextTableSize);
	}

	/**
	 * The peer sent SETTINGS_HEADER_TABLE_SIZE. To be called for every such setting in
	 * its order, when it is acknowledged; never between a mark and its reset.
	 * @param size the peer's limit in bytes, any unsigned 32-bit value; we use 4096 at
	 * most
	 */
	void peerTableSize(long size) {
		this.nextTableSize = (int) Math.min(size, MAX_TABLE_SIZE);
		this.smallestTableSize = Math.min(this.smallestTableSize, this.nextTableSize);
	}

	/**
	 * Returns an upper bound of the size of any block with this metadata.
	 * @param metadata names and values in turn
	 * @return bytes, without the other values a caller gives
	 */
	int bound(byte[][] metadata) {
		return bound(metadata, null, null);
	}

	/**
	 * Returns an upper bound of the size of a block with this metadata and these values.
	 * @param metadata names and values in turn
	 * @param first a status message, content type or encoding
	 * @param second another of these
	 * @return bytes
	 */
	int bound(byte[][] metadata, byte @Nullable [] first, byte @Nullable [] second) {
		int bound = FIXED_BOUND + length(this.acceptEncoding) + length(first) + length(second);
		for (int i = 0; i < metadata.length; i += 2) {
			bound += HpackFields.MAX_OVERHEAD + metadata[i].length + metadata[i + 1].length;
		}
		return bound;
	}

	private static int length(byte @Nullable [] value) {
		return (value != null) ? value.length : 0;
	}

	/**
	 * Writes response headers.
	 * @param out grows as needed
	 * @param contentType the content type to answer with, or {@code null} for
	 * {@code application/grpc}
	 * @param grpcEncoding the compression of the call's messages, or {@code null} for
	 * none
	 * @param metadata lower-case names and values in turn, no reserved names
	 */
	void responseHeaders(ByteBuf out, byte @Nullable [] contentType, byte @Nullable [] grpcEncoding,
			byte[][] metadata) {
		begin(out);
		HpackFields.indexed(out, STATUS_200);
		contentType(out, contentType);
		if (grpcEncoding != null) {
			HpackFields.literal(out, HpackFields.NO_INDEX, ENCODING, grpcEncoding);
		}
		if (this.acceptEncoding != null) {
			entry(out, ACCEPT_ENCODING_SLOT, HpackFields.NO_INDEX, ACCEPT_ENCODING, this.acceptEncoding);
		}
		fields(out, metadata);
	}

	/**
	 * Writes trailers.
	 * @param out grows as needed
	 * @param code decimal digits of the status code
	 * @param message the encoded status message, or {@code null} for none
	 * @param metadata lower-case names and values in turn, no reserved names
	 */
	void trailers(ByteBuf out, byte[] code, byte @Nullable [] message, byte[][] metadata) {
		begin(out);
		status(out, code, message);
		fields(out, metadata);
	}

	/**
	 * Writes headers and trailers of a call without messages in one block.
	 * @param out grows as needed
	 * @param code decimal digits of the status code
	 * @param message the encoded status message, or {@code null} for none
	 * @param metadata lower-case names and values in turn, no reserved names
	 */
	void trailersOnly(ByteBuf out, byte[] code, byte @Nullable [] message, byte[][] metadata) {
		begin(out);
		HpackFields.indexed(out, STATUS_200);
		contentType(out, null);
		status(out, code, message);
		fields(out, metadata);
	}

	/**
	 * Writes the answer to a request that is no gRPC call, for clients of both kinds.
	 * @param out grows as needed
	 * @param httpStatus three digits, for example 415
	 * @param code decimal digits of the status code
	 * @param message the encoded status message
	 */
	void refusal(ByteBuf out, int httpStatus, byte[] code, byte[] message) {
		if (httpStatus < 100 || httpStatus > 999) {
			throw new IllegalArgumentException("HTTP status is " + httpStatus + "; allowed are 100 to 999");
		}
		begin(out);
		httpStatus(out, httpStatus);
		HpackFields.literal(out, CONTENT_TYPE_NAME, CONTENT_TYPE, TEXT_PLAIN);
		status(out, code, message);
	}

	/**
	 * Returns the state before a block, pending table size updates included.
	 * @return a value for {@link #reset}
	 */
	long mark() {
		return (((long) this.tableSize << 16 | this.nextTableSize) << 16 | this.smallestTableSize) << 8 | this.entries;
	}

	/**
	 * Forgets all blocks since a mark, none of which may have gone to the peer.
	 * @param mark what {@link #mark()} returned
	 */
	void reset(long mark) {
		this.entries = (int) mark & 0xFF;
		this.smallestTableSize = (int) (mark >>> 8) & 0xFFFF;
		this.nextTableSize = (int) (mark >>> 24) & 0xFFFF;
		this.tableSize = (int) (mark >>> 40) & 0xFFFF;
	}

	/**
	 * Tells the peer how the table size changed since the last block: the smallest size
	 * first, by which it evicted, then the one that holds (RFC 7541 section 4.2). Entries
	 * that may have been evicted are forgotten; those that were not grow old and unused
	 * behind the new ones, and are the first to go.
	 */
	private void begin(ByteBuf out) {
		if (this.smallestTableSize < this.tableSize) {
			HpackFields.tableSize(out, this.smallestTableSize);
			this.tableSize = this.smallestTableSize;
			this.entries = 0;
		}
		if (this.nextTableSize != this.tableSize) {
			HpackFields.tableSize(out, this.nextTableSize);
			this.tableSize = this.nextTableSize;
		}
		this.smallestTableSize = this.nextTableSize;
	}

	private void contentType(ByteBuf out, byte @Nullable [] contentType) {
		if (contentType != null) {
			HpackFields.literal(out, CONTENT_TYPE_NAME, CONTENT_TYPE, contentType);
		}
		else {
			entry(out, CONTENT_TYPE_SLOT, CONTENT_TYPE_NAME, CONTENT_TYPE, APPLICATION_GRPC);
		}
	}

	private void status(ByteBuf out, byte[] code, byte @Nullable [] message) {
		if (code.length == 1 && code[0] == OK[0]) {
			entry(out, GRPC_STATUS_SLOT, HpackFields.NO_INDEX, GRPC_STATUS, OK);
		}
		else {
			HpackFields.literal(out, HpackFields.NO_INDEX, GRPC_STATUS, code);
		}
		if (message != null) {
			HpackFields.literal(out, HpackFields.NO_INDEX, GRPC_MESSAGE, message);
		}
	}

	private static void httpStatus(ByteBuf out, int status) {
		// the static table's statuses, RFC 7541 appendix A
		switch (status) {
			case 200 -> HpackFields.indexed(out, STATUS_200);
			case 204 -> HpackFields.indexed(out, 9);
			case 206 -> HpackFields.indexed(out, 10);
			case 304 -> HpackFields.indexed(out, 11);
			case 400 -> HpackFields.indexed(out, 12);
			case 404 -> HpackFields.indexed(out, 13);
			case 500 -> HpackFields.indexed(out, 14);
			default -> HpackFields.literal(out, STATUS_NAME, STATUS, ascii(Integer.toString(status)));
		}
	}

	private static void fields(ByteBuf out, byte[][] metadata) {
		for (int i = 0; i < metadata.length; i += 2) {
			HpackFields.literal(out, HpackFields.NO_INDEX, metadata[i], metadata[i + 1]);
		}
	}

	private void entry(ByteBuf out, int slot, int nameIndex, byte[] name, byte[] value) {
		int inserts = this.entries & 3;
		int insert = this.entries >>> slot & 3;
		if (insert != 0) {
			HpackFields.indexed(out, FIRST_DYNAMIC_INDEX + inserts - insert);
		}
		else if (this.entriesSize <= this.tableSize) {
			this.entries += 1 + (inserts + 1 << slot);
			HpackFields.inserted(out, nameIndex, name, value);
		}
		else {
			HpackFields.literal(out, nameIndex, name, value);
		}
	}

}
