package dev.grpcloop.engine.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.netty.util.AsciiString;

/**
 * Metadata as the wire carries it: text values as they are, values of {@code -bin} names
 * in base64. Source: gRPC over HTTP/2, Custom-Metadata.
 */
public final class MetadataCodec {

	/** The wire form of empty metadata; shared. */
	public static final byte[][] NONE = {};

	private static final System.Logger LOGGER = System.getLogger(MetadataCodec.class.getPackageName());

	private static final byte[] NO_BYTES = {};

	private static final byte[] BINARY_SUFFIX = ascii(Metadata.BINARY_HEADER_SUFFIX);

	private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();

	private static final Base64.Decoder DECODER = Base64.getDecoder();

	/**
	 * Names that a service cannot send, by their length: those the protocol layer writes
	 * itself, which must not appear twice, and those that HTTP/2 forbids.
	 */
	private static final byte[][][] RESERVED = byLength("content-type", "te", "user-agent", "content-length",
			"grpc-status", "grpc-message", "grpc-encoding", "grpc-accept-encoding", "connection", "keep-alive",
			"proxy-connection", "transfer-encoding", "upgrade", "host");

	private MetadataCodec() {
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[][][] byLength(String... names) {
		int longest = Arrays.stream(names).mapToInt(String::length).max().orElse(0);
		byte[][][] result = new byte[longest + 1][][];
		for (int length = 0; length <= longest; length++) {
			int wanted = length;
			result[length] = Arrays.stream(names)
				.filter((name) -> name.length() == wanted)
				.map(MetadataCodec::ascii)
				.toArray(byte[][]::new);
		}
		return result;
	}

	/**
	 * Tells whether a name's values travel in base64.
	 * @param name a lower-case header name
	 * @return whether it ends with {@code -bin}
	 */
	public static boolean isBinary(AsciiString name) {
		return isBinary(name.array(), name.arrayOffset(), name.length());
	}

	private static boolean isBinary(byte[] array, int offset, int length) {
		int end = offset + length;
		return length >= BINARY_SUFFIX.length
				&& Arrays.equals(array, end - BINARY_SUFFIX.length, end, BINARY_SUFFIX, 0, BINARY_SUFFIX.length);
	}

	/**
	 * Decodes one base64 value.
	 * @param array holds the value
	 * @param offset where it begins
	 * @param length its length in bytes; 0 gives an empty array
	 * @return the decoded bytes, the caller's own
	 * @throws IllegalArgumentException if the value is not base64 in the standard
	 * alphabet, with its full padding or with none; the message tells the length only,
	 * since binary metadata may hold credentials
	 */
	public static byte[] decodeBinary(byte[] array, int offset, int length) {
		if (length == 0) {
			return NO_BYTES;
		}
		try {
			ByteBuffer decoded = DECODER.decode(ByteBuffer.wrap(array, offset, length));
			byte[] bytes = decoded.array();
			return (decoded.remaining() == bytes.length) ? bytes : Arrays.copyOf(bytes, decoded.remaining());
		}
		catch (IllegalArgumentException ex) {
			// the cause would quote a byte of the value
			throw new IllegalArgumentException("A binary metadata value of " + length
					+ " bytes is not base64; allowed are A-Z, a-z, 0-9, + and /, padded with = to a multiple of"
					+ " 4 bytes or not padded at all, and a comma between two values");
		}
	}

	/**
	 * Decodes a header field that may hold several base64 values joined by commas, as
	 * proxies join repeated fields.
	 * @param array holds the field's value
	 * @param offset where it begins
	 * @param length its length in bytes; 0 is one empty value
	 * @param sink takes the decoded values in their order
	 * @throws IllegalArgumentException as {@link #decodeBinary}; values before the
	 * malformed one have then reached the sink
	 */
	public static void decodeBinaryValues(byte[] array, int offset, int length, Consumer<byte[]> sink) {
		int end = offset + length;
		int start = offset;
		for (int i = offset; i <= end; i++) {
			if (i == end || array[i] == ',') {
				sink.accept(decodeTrimmed(array, start, i));
				start = i + 1;
			}
		}
	}

	private static byte[] decodeTrimmed(byte[] array, int start, int end) {
		int from = start;
		int to = end;
		while (from < to && isBlank(array[from])) {
			from++;
		}
		while (to > from && isBlank(array[to - 1])) {
			to--;
		}
		return decodeBinary(array, from, to - from);
	}

	private static boolean isBlank(byte octet) {
		return octet == ' ' || octet == '\t';
	}

	/**
	 * Returns metadata ready for a header block. Left out are reserved names, which the
	 * protocol layer writes itself or HTTP/2 forbids, and text values with bytes outside
	 * 0x20 to 0x7E, which no peer may be sent; neither fails the call, as in grpc-java.
	 * Spaces at the ends of a text value are left out too.
	 * @param metadata response headers or trailers
	 * @return names and values in turn; {@link #NONE} if there are none. Names and text
	 * values may be the metadata's own arrays: to be read, not changed
	 * @throws RuntimeException what a marshaller of the service throws, where it streams
	 * its value and so is asked only now
	 */
	public static byte[][] toWire(Metadata metadata) {
		if (InternalMetadata.headerCount(metadata) == 0) {
			return NONE;
		}
		byte[][] fields = InternalMetadata.serialize(metadata);
		int kept = 0;
		for (int i = 0; i < fields.length; i += 2) {
			byte[] name = fields[i];
			byte[] value = fields[i + 1];
			boolean binary = isBinary(name, 0, name.length);
			if (isReserved(name) || !(binary || isText(value))) {
				logLeftOut(name);
				continue;
			}
			fields[kept] = name;
			fields[kept + 1] = binary ? ENCODER.encode(value) : withoutOuterSpaces(value);
			kept += 2;
		}
		if (kept == 0) {
			return NONE;
		}
		return (kept == fields.length) ? fields : Arrays.copyOf(fields, kept);
	}

	private static boolean isReserved(byte[] name) {
		if (name.length == 0 || name[0] == ':') {
			return true;
		}
		if (name.length < RESERVED.length) {
			for (byte[] reserved : RESERVED[name.length]) {
				if (Arrays.equals(reserved, name)) {
					return true;
				}
			}
		}
		return false;
	}

	private static boolean isText(byte[] value) {
		for (byte octet : value) {
			if (octet < 0x20 || octet > 0x7E) {
				return false;
			}
		}
		return true;
	}

	/**
	 * HTTP/2 allows no space at either end of a value (RFC 9113 section 8.2.1), and gRPC
	 * allows to leave it out.
	 */
	private static byte[] withoutOuterSpaces(byte[] value) {
		int start = 0;
		int end = value.length;
		while (start < end && value[start] == ' ') {
			start++;
		}
		while (end > start && value[end - 1] == ' ') {
			end--;
		}
		return (end - start == value.length) ? value : Arrays.copyOfRange(value, start, end);
	}

	private static void logLeftOut(byte[] name) {
		LOGGER.log(System.Logger.Level.DEBUG,
				() -> "Metadata '" + new String(name, StandardCharsets.US_ASCII)
						+ "' is not sent: its name is reserved for the protocol, or its value has bytes"
						+ " outside 0x20 to 0x7E; send such a value under a name that ends with -bin");
	}

}
