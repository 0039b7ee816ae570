package dev.grpcloop.engine.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The two fields that carry a status: {@code grpc-status} and {@code grpc-message}.
 * Source: gRPC over HTTP/2, Status and Status-Message.
 */
public final class StatusCodec {

	private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

	private static final int REPLACEMENT = 0xFFFD;

	private static final byte[][] CODES = codes();

	private StatusCodec() {
	}

	private static byte[][] codes() {
		Status.Code[] codes = Status.Code.values();
		byte[][] result = new byte[codes.length][];
		for (Status.Code code : codes) {
			result[code.ordinal()] = Integer.toString(code.value()).getBytes(StandardCharsets.US_ASCII);
		}
		return result;
	}

	/**
	 * Returns a status code as {@code grpc-status} carries it.
	 * @param code the code
	 * @return its decimal digits in ASCII; shared, not to be changed
	 */
	public static byte[] code(Status.Code code) {
		return CODES[code.ordinal()];
	}

	/**
	 * Encodes a description for {@code grpc-message}: printable ASCII but {@code %} stays
	 * as it is, every other byte of the UTF-8 form becomes {@code %XX}. So does a space
	 * at either end, where HTTP/2 allows none (RFC 9113 section 8.2.1). A surrogate
	 * without its partner becomes U+FFFD, so that no description can fail a call.
	 * @param description any text
	 * @return the field's value, all bytes from 0x20 to 0x7E
	 */
	public static byte[] encodeMessage(String description) {
		int length = 0;
		for (int i = 0; i < description.length();) {
			int codePoint = scalarAt(description, i);
			length += encodedLength(codePoint, isEnd(description, i));
			i += Character.charCount(codePoint);
		}
		if (length == description.length()) {
			return description.getBytes(StandardCharsets.ISO_8859_1);
		}
		byte[] encoded = new byte[length];
		int at = 0;
		for (int i = 0; i < description.length();) {
			int codePoint = scalarAt(description, i);
			at = append(encoded, at, codePoint, isEnd(description, i));
			i += Character.charCount(codePoint);
		}
		return encoded;
	}

	private static int scalarAt(String text, int index) {
		int codePoint = text.codePointAt(index);
		boolean alone = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
		return alone ? REPLACEMENT : codePoint;
	}

	private static boolean isEnd(String text, int index) {
		return index == 0 || index == text.length() - 1;
	}

	private static boolean isPlain(int codePoint, boolean end) {
		return (codePoint > 0x20 && codePoint <= 0x7E && codePoint != '%') || (codePoint == ' ' && !end);
	}

	private static int encodedLength(int codePoint, boolean end) {
		if (isPlain(codePoint, end)) {
			return 1;
		}
		if (codePoint < 0x80) {
			return 3;
		}
		if (codePoint < 0x800) {
			return 6;
		}
		return (codePoint < 0x10000) ? 9 : 12;
	}

	private static int append(byte[] target, int at, int codePoint, boolean end) {
		if (isPlain(codePoint, end)) {
			target[at] = (byte) codePoint;
			return at + 1;
		}
		if (codePoint < 0x80) {
			return escape(target, at, codePoint);
		}
		int next;
		if (codePoint < 0x800) {
			next = escape(target, at, 0xC0 | (codePoint >> 6));
		}
		else if (codePoint < 0x10000) {
			next = escape(target, at, 0xE0 | (codePoint >> 12));
			next = escape(target, next, continuation(codePoint >> 6));
		}
		else {
			next = escape(target, at, 0xF0 | (codePoint >> 18));
			next = escape(target, next, continuation(codePoint >> 12));
			next = escape(target, next, continuation(codePoint >> 6));
		}
		return escape(target, next, continuation(codePoint));
	}

	private static int continuation(int bits) {
		return 0x80 | (bits & 0x3F);
	}

	private static int escape(byte[] target, int at, int octet) {
		target[at] = '%';
		target[at + 1] = HEX[octet >> 4];
		target[at + 2] = HEX[octet & 0xF];
		return at + 3;
	}

	/**
	 * Shortens what {@link #encodeMessage} returned. The cut falls between two
	 * characters, and a space before it goes too, as in the encoded form.
	 * @param encoded the field's value
	 * @param length the most bytes to keep
	 * @return the value itself if it is no longer than that, else its beginning;
	 * {@code null} if nothing of it is left
	 */
	public static byte @Nullable [] cut(byte[] encoded, long length) {
		if (encoded.length <= length) {
			return encoded;
		}
		int end = (int) Math.max(length, 0);
		if (end > 0 && encoded[end - 1] == '%') {
			end--;
		}
		else if (end > 1 && encoded[end - 2] == '%') {
			end -= 2;
		}
		while (end > 0 && (isContinuation(encoded, end) || encoded[end - 1] == ' ')) {
			end -= (encoded[end - 1] == ' ') ? 1 : 3;
		}
		return (end > 0) ? Arrays.copyOf(encoded, end) : null;
	}

	private static boolean isContinuation(byte[] encoded, int at) {
		return encoded[at] == '%' && encoded[at + 1] >= '8' && encoded[at + 1] <= 'B';
	}

	/**
	 * Decodes a {@code grpc-message}. As the protocol asks of a receiver it never fails:
	 * an escape that is none stays as it is, bytes that are no UTF-8 become U+FFFD.
	 * @param value the field's value
	 * @return the description
	 */
	public static String decodeMessage(byte[] value) {
		ByteArrayOutputStream decoded = new ByteArrayOutputStream(value.length);
		for (int i = 0; i < value.length; i++) {
			if (value[i] == '%' && i + 2 < value.length) {
				int high = Character.digit(value[i + 1], 16);
				int low = Character.digit(value[i + 2], 16);
				if (high >= 0 && low >= 0) {
					decoded.write((high << 4) | low);
					i += 2;
					continue;
				}
			}
			decoded.write(value[i]);
		}
		return decoded.toString(StandardCharsets.UTF_8);
	}

}
