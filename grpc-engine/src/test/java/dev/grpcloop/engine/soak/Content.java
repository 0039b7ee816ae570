package dev.grpcloop.engine.soak;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Metadata;

/**
 * What is in the messages and the metadata of a call. A request follows from the call's
 * number and its place; a response from all requests that came before it.
 */
final class Content {

	static final Metadata.Key<String> ID = Metadata.Key.of("soak-id", Metadata.ASCII_STRING_MARSHALLER);

	private static final int FIELDS = 4;

	/** So often is each word repeated, for compression to have something to do. */
	private static final int REPEATED = 8;

	private Content() {
	}

	static BytesValue request(Script script, int index) {
		return message(script.requests()[index], mix(script.id() ^ index));
	}

	/**
	 * Returns a response.
	 * @param requests the checksum of the requests before it
	 */
	static BytesValue response(Script script, int index, long requests) {
		return message(script.responses()[index], mix(mix(script.id() ^ requests) + index));
	}

	/**
	 * Adds a message to the checksum of those before it.
	 */
	static long checksum(long before, BytesValue message) {
		CRC32 crc = new CRC32();
		crc.update(message.getValue().asReadOnlyByteBuffer());
		return mix(before + crc.getValue());
	}

	/**
	 * Returns the checksum of the first requests of a call.
	 */
	static long checksum(Script script, int count) {
		long checksum = 0;
		for (int i = 0; i < count; i++) {
			checksum = checksum(checksum, request(script, i));
		}
		return checksum;
	}

	private static BytesValue message(int size, long seed) {
		ByteBuffer bytes = ByteBuffer.allocate(size);
		for (int i = 0; bytes.remaining() >= Long.BYTES; i++) {
			bytes.putLong(mix(seed + i / REPEATED));
		}
		while (bytes.hasRemaining()) {
			bytes.put((byte) seed);
		}
		ByteString value = UnsafeByteOperations.unsafeWrap(bytes.array());
		return BytesValue.of(value);
	}

	/**
	 * Returns the metadata that goes to the server, and comes back with the headers and
	 * the trailers.
	 */
	static Metadata metadata(Script script) {
		Metadata metadata = new Metadata();
		for (int i = 0; i < script.fields(); i++) {
			metadata.put(text(i), Long.toHexString(mix(script.id() + i)));
			metadata.put(binary(i), Long.toString(mix(script.id() - i)).getBytes(StandardCharsets.US_ASCII));
		}
		return metadata;
	}

	/**
	 * Takes the fields of the soak from what was received.
	 */
	static Metadata fieldsOf(Metadata received) {
		Metadata metadata = new Metadata();
		for (int i = 0; i < FIELDS; i++) {
			String text = received.get(text(i));
			if (text != null) {
				metadata.put(text(i), text);
			}
			byte[] bytes = received.get(binary(i));
			if (bytes != null) {
				metadata.put(binary(i), bytes);
			}
		}
		return metadata;
	}

	/**
	 * Whether the fields of the soak are there.
	 */
	static boolean isComplete(Script script, Metadata received) {
		for (int i = 0; i < script.fields(); i++) {
			byte[] bytes = received.get(binary(i));
			if (!Long.toHexString(mix(script.id() + i)).equals(received.get(text(i))) || bytes == null
					|| !Long.toString(mix(script.id() - i)).equals(new String(bytes, StandardCharsets.US_ASCII))) {
				return false;
			}
		}
		return true;
	}

	private static Metadata.Key<String> text(int index) {
		return Metadata.Key.of("soak-" + index, Metadata.ASCII_STRING_MARSHALLER);
	}

	private static Metadata.Key<byte[]> binary(int index) {
		return Metadata.Key.of("soak-" + index + "-bin", Metadata.BINARY_BYTE_MARSHALLER);
	}

	/**
	 * The finaliser of MurmurHash3: every bit of the input changes half of the output's.
	 */
	private static long mix(long value) {
		long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
		return mixed ^ (mixed >>> 33);
	}

}
