package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Random messages, metadata and statuses, and what they have to be on the wire.
 */
final class RandomInput {

	private static final String[] CHARACTERS = { "%", " ", "~", "\n", "é", "日", "😀", "\uD800", "+" };

	final Random random;

	RandomInput(long seed) {
		this.random = new Random(seed);
	}

	boolean oneIn(int n) {
		return this.random.nextInt(n) == 0;
	}

	int below(int n) {
		return this.random.nextInt(n);
	}

	int oneOf(int... values) {
		return values[this.random.nextInt(values.length)];
	}

	<T> T oneOf(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/**
	 * Mostly small, at times larger than a frame, seldom larger than a window.
	 */
	byte[] message() {
		int bound = oneIn(12) ? 40_000 : oneIn(60) ? 120_000 : 200;
		byte[] message = new byte[this.random.nextInt(bound)];
		this.random.nextBytes(message);
		return message;
	}

	/**
	 * Mostly none, seldom so much that it needs a CONTINUATION frame.
	 */
	Metadata metadata() {
		Metadata metadata = new Metadata();
		for (int count = oneIn(2) ? 0 : below(4); count > 0; count--) {
			int length = oneIn(40) ? 20_000 : below(60);
			if (oneIn(3)) {
				byte[] value = new byte[length];
				this.random.nextBytes(value);
				metadata.put(Metadata.Key.of("b-" + below(5) + "-bin", Metadata.BINARY_BYTE_MARSHALLER), value);
			}
			else {
				metadata.put(Metadata.Key.of("x-" + below(5), Metadata.ASCII_STRING_MARSHALLER), text(length));
			}
		}
		return metadata;
	}

	/**
	 * Printable ASCII without spaces.
	 */
	String text(int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) ('!' + below('~' - '!' + 1)));
		}
		return text.toString();
	}

	Status status() {
		if (oneIn(2)) {
			return Status.OK;
		}
		Status status = Status.fromCodeValue(below(17));
		return oneIn(3) ? status : status.withDescription(description());
	}

	private String description() {
		StringBuilder text = new StringBuilder();
		for (int count = below(oneIn(20) ? 6000 : 30); count > 0; count--) {
			text.append(oneIn(3) ? CHARACTERS[below(CHARACTERS.length)] : text(1));
		}
		return text.toString();
	}

	/**
	 * The fields of metadata as a client has to receive them: names and values in turn.
	 */
	static List<String> fields(Metadata metadata) {
		List<String> fields = new ArrayList<>();
		byte[][] raw = InternalMetadata.serialize(metadata);
		for (int i = 0; i < raw.length; i += 2) {
			String name = new String(raw[i], StandardCharsets.US_ASCII);
			fields.add(name);
			fields.add(name.endsWith("-bin") ? Base64.getEncoder().withoutPadding().encodeToString(raw[i + 1])
					: new String(raw[i + 1], StandardCharsets.US_ASCII));
		}
		return fields;
	}

	/**
	 * A description as a client has to receive it: half a surrogate pair is replaced.
	 */
	static @Nullable String received(@Nullable String description) {
		if (description == null) {
			return null;
		}
		StringBuilder received = new StringBuilder();
		description.codePoints()
			.forEach((c) -> received
				.appendCodePoint((c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? 0xFFFD : c));
		return received.toString();
	}

}
