package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.grpcloop.engine.message.StatusCodec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Long random sequences of blocks, table size changes and blocks given up half-way, read
 * by a decoder that shares no code with the writer and checks what RFC 7541 demands.
 * Every block must decode to exactly its fields. A seed names the sequence that failed.
 */
class HeaderBlockWriterDecodingTests {

	private static final int[] TABLE_SIZES = { 0, 1, 50, 100, 159, 160, 161, 200, 300, 1000, 4095, 4096, 4097, 65_536 };

	private static final int SEQUENCES = 400;

	private static final int STEPS = 60;

	@ParameterizedTest
	@ValueSource(strings = { "", "gzip", "identity,deflate,gzip" })
	void everyBlockOfEverySequenceDecodesToItsFields(String acceptEncoding) throws Exception {
		for (int seed = 0; seed < SEQUENCES; seed++) {
			Peer peer = new Peer(acceptEncoding.isEmpty() ? null : acceptEncoding);
			Random random = new Random(seed);
			for (int step = 0; step < STEPS; step++) {
				String where = "seed " + seed + ", step " + step;
				switch (random.nextInt(8)) {
					case 0 -> {
						for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
							peer.tableSize(TABLE_SIZES[random.nextInt(TABLE_SIZES.length)]);
						}
					}
					case 1, 2 -> peer.givesUp(block(random, acceptEncoding), 1 + random.nextInt(3), random, where);
					default -> peer.receives(block(random, acceptEncoding), where);
				}
			}
		}
	}

	@Test
	void sequencesWithoutTableSizeChangesSettleAtIndexedFields() throws Exception {
		Peer peer = new Peer("gzip");
		Random random = new Random(7);
		for (int step = 0; step < 200; step++) {
			peer.receives(block(random, "gzip"), "step " + step);
		}
		Block headers = Block.responseHeaders("gzip", null, null, List.of());
		Block trailers = Block.trailers("0", null, List.of());
		assertThat(peer.receives(headers, "headers")).isEqualTo(3);
		assertThat(peer.receives(trailers, "trailers")).isEqualTo(1);
	}

	@Test
	void blocksThatWereGivenUpLeaveNoTrace() throws Exception {
		Peer disturbed = new Peer("gzip");
		Peer calm = new Peer("gzip");
		Random random = new Random(11);
		for (int step = 0; step < 500; step++) {
			if (random.nextInt(10) == 0) {
				int size = TABLE_SIZES[random.nextInt(TABLE_SIZES.length)];
				disturbed.tableSize(size);
				calm.tableSize(size);
			}
			disturbed.givesUp(block(random, "gzip"), 1 + random.nextInt(2), random, "step " + step);
			Block block = block(random, "gzip");
			assertThat(disturbed.receives(block, "step " + step)).isEqualTo(calm.receives(block, "step " + step));
			assertThat(disturbed.writer.mark()).isEqualTo(calm.writer.mark());
		}
	}

	private static Block block(Random random, String acceptEncoding) {
		List<String> metadata = metadata(random);
		return switch (random.nextInt(6)) {
			case 0, 1 -> Block.responseHeaders(acceptEncoding,
					(random.nextInt(4) == 0) ? "application/grpc+" + text(random, 1 + random.nextInt(10)) : null,
					(random.nextInt(3) == 0) ? "gzip" : null, metadata);
			case 2, 3 -> Block.trailers(code(random), message(random), metadata);
			case 4 -> Block.trailersOnly(code(random), message(random), metadata);
			default -> Block.refusal(List.of(200, 204, 206, 304, 400, 404, 405, 415, 500, 503).get(random.nextInt(10)),
					code(random), text(random, random.nextInt(200)));
		};
	}

	private static String code(Random random) {
		Status.Code[] codes = Status.Code.values();
		Status.Code code = random.nextBoolean() ? Status.Code.OK : codes[random.nextInt(codes.length)];
		return new String(StatusCodec.code(code), US_ASCII);
	}

	private static @Nullable String message(Random random) {
		return random.nextBoolean() ? null : text(random, random.nextInt(300));
	}

	private static List<String> metadata(Random random) {
		List<String> fields = new ArrayList<>();
		int count = random.nextBoolean() ? 0 : random.nextInt(4);
		for (int i = 0; i < count; i++) {
			// names of the static table and of our own entries with other values, too
			fields.add(switch (random.nextInt(5)) {
				case 0 -> "date";
				case 1 -> "set-cookie";
				default -> "x-" + name(random);
			});
			fields.add(text(random, (random.nextInt(20) == 0) ? random.nextInt(20_000) : random.nextInt(40)));
		}
		return fields;
	}

	private static String name(Random random) {
		StringBuilder name = new StringBuilder();
		for (int length = (random.nextInt(10) == 0) ? 120 + random.nextInt(20)
				: 1 + random.nextInt(12); length > 0; length--) {
			name.append((char) ('a' + random.nextInt(26)));
		}
		return name.toString();
	}

	private static String text(Random random, int length) {
		StringBuilder text = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			text.append((char) ('!' + random.nextInt('~' - '!' + 1)));
		}
		return text.toString();
	}

	private static byte @Nullable [] bytes(@Nullable String text) {
		return (text != null) ? text.getBytes(US_ASCII) : null;
	}

	private static byte[][] wire(List<String> fields) {
		return fields.stream().map((field) -> field.getBytes(US_ASCII)).toArray(byte[][]::new);
	}

	/**
	 * A block to write, the fields it must decode to, and the bound it must keep.
	 */
	private record Block(Write write, Bound bound, List<String> fields) {

		static Block responseHeaders(String acceptEncoding, @Nullable String contentType, @Nullable String encoding,
				List<String> metadata) {
			List<String> fields = new ArrayList<>(List.of(":status", "200", "content-type",
					(contentType != null) ? contentType : "application/grpc"));
			if (encoding != null) {
				fields.addAll(List.of("grpc-encoding", encoding));
			}
			if (!acceptEncoding.isEmpty()) {
				fields.addAll(List.of("grpc-accept-encoding", acceptEncoding));
			}
			fields.addAll(metadata);
			return new Block(
					(writer, out) -> writer.responseHeaders(out, bytes(contentType), bytes(encoding), wire(metadata)),
					(writer) -> writer.bound(wire(metadata), bytes(contentType), bytes(encoding)), fields);
		}

		static Block trailers(String code, @Nullable String message, List<String> metadata) {
			return new Block((writer, out) -> writer.trailers(out, bytes(code), bytes(message), wire(metadata)),
					(writer) -> (message != null) ? writer.bound(wire(metadata), bytes(message), null)
							: writer.bound(wire(metadata)),
					status(new ArrayList<>(), code, message, metadata));
		}

		static Block trailersOnly(String code, @Nullable String message, List<String> metadata) {
			return new Block((writer, out) -> writer.trailersOnly(out, bytes(code), bytes(message), wire(metadata)),
					(writer) -> writer.bound(wire(metadata), null, bytes(message)),
					status(new ArrayList<>(List.of(":status", "200", "content-type", "application/grpc")), code,
							message, metadata));
		}

		static Block refusal(int httpStatus, String code, String message) {
			return new Block((writer, out) -> writer.refusal(out, httpStatus, bytes(code), bytes(message)),
					(writer) -> writer.bound(new byte[0][], bytes(message), null),
					status(new ArrayList<>(List.of(":status", Integer.toString(httpStatus), "content-type",
							"text/plain; charset=utf-8")), code, message, List.of()));
		}

		private static List<String> status(List<String> fields, String code, @Nullable String message,
				List<String> metadata) {
			fields.addAll(List.of("grpc-status", code));
			if (message != null) {
				fields.addAll(List.of("grpc-message", message));
			}
			fields.addAll(metadata);
			return fields;
		}

	}

	@FunctionalInterface
	private interface Write {

		void to(HeaderBlockWriter writer, ByteBuf out);

	}

	@FunctionalInterface
	private interface Bound {

		int of(HeaderBlockWriter writer);

	}

	/**
	 * The writer and the decoder at the other end of its connection.
	 */
	private static final class Peer {

		private final HeaderBlockWriter writer;

		private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, true, 1 << 20);

		private Peer(@Nullable String acceptEncoding) {
			this.writer = new HeaderBlockWriter(bytes(acceptEncoding));
		}

		void tableSize(int size) throws Http2Exception {
			this.decoder.configuration().maxHeaderTableSize(size);
			this.writer.peerTableSize(size);
		}

		int receives(Block block, String where) throws Http2Exception {
			ByteBuf out = Unpooled.buffer();
			try {
				block.write().to(this.writer, out);
				int length = out.readableBytes();
				assertThat(length).as(where).isLessThanOrEqualTo(block.bound().of(this.writer));
				Http2Headers headers = this.decoder.decodeHeaders(3, out);
				List<String> fields = new ArrayList<>();
				for (Map.Entry<CharSequence, CharSequence> field : headers) {
					fields.add(field.getKey().toString());
					fields.add(field.getValue().toString());
				}
				assertThat(fields).as(where).isEqualTo(block.fields());
				assertThat(out.isReadable()).as(where).isFalse();
				return length;
			}
			finally {
				out.release();
			}
		}

		/**
		 * Writes blocks, the last of them into a buffer that cannot hold it whole, and
		 * takes them back.
		 */
		void givesUp(Block block, int times, Random random, String where) {
			long mark = this.writer.mark();
			for (int i = 0; i < times; i++) {
				ByteBuf out = Unpooled.buffer(0, (i < times - 1) ? Integer.MAX_VALUE : random.nextInt(150));
				try {
					block.write().to(this.writer, out);
				}
				catch (IndexOutOfBoundsException ex) {
					// the buffer was full half-way
				}
				finally {
					out.release();
				}
			}
			this.writer.reset(mark);
			assertThat(this.writer.mark()).as(where).isEqualTo(mark);
		}

	}

}
