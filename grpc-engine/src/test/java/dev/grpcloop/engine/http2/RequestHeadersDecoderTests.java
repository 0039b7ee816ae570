package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The memo of the last header block: it must never be seen but by the clock.
 */
class RequestHeadersDecoderTests {

	private static final Metadata.Key<String> X = Metadata.Key.of("x", Metadata.ASCII_STRING_MARSHALLER);

	private static final Metadata.Key<byte[]> A_BIN = Metadata.Key.of("a-bin", Metadata.BINARY_BYTE_MARSHALLER);

	private static final String[] REQUEST = ScriptedPeer.request("/t.Echo/Unary", "x", "1", "a-bin", "q6s");

	/** The fields of {@link #REQUEST}, when they are all that is in the table. */
	private static final byte[] REPEATED = RawHpack.indexed(69, 68, 67, 66, 65, 64, 63, 62);

	private static final List<String> REQUEST_FIELDS = List.of(":method", "POST", ":scheme", "http", ":path",
			"/t.Echo/Unary", ":authority", "localhost", "content-type", "application/grpc", "x", "1", "a-bin", "q6s");

	private final RequestHeadersDecoder decoder = new RequestHeadersDecoder(8192);

	private final DefaultHttp2HeadersDecoder reference = new DefaultHttp2HeadersDecoder(true, 8192);

	private int streamId = -1;

	private RequestHeaders decode(byte[] block) throws Http2Exception {
		this.streamId += 2;
		ByteBuf buffer = Unpooled.wrappedBuffer(block);
		RequestHeaders headers = (RequestHeaders) this.decoder.decodeHeaders(this.streamId, buffer);
		assertThat(buffer.isReadable()).as("bytes of the block that were not read").isFalse();
		return headers;
	}

	@Test
	void theSameBlockGivesTheSameHeadersAndEachCallMetadataOfItsOwn() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		RequestHeaders first = decode(REPEATED);
		Metadata one = first.newMetadata();
		RequestHeaders second = decode(REPEATED);
		Metadata two = second.newMetadata();
		assertThat(second).as("the memo is used").isSameAs(first);
		assertThat(fields(second)).isEqualTo(REQUEST_FIELDS);
		one.discardAll(X);
		one.put(X, "spoilt");
		one.get(A_BIN)[0] = 99;
		InternalMetadata.serialize(one)[1][0] = 99;
		assertThat(two.getAll(X)).containsExactly("1");
		assertThat(two.get(A_BIN)).containsExactly(0xab, 0xab);
		Metadata three = decode(REPEATED).newMetadata();
		assertThat(three.getAll(X)).containsExactly("1");
		assertThat(three.get(A_BIN)).containsExactly(0xab, 0xab);
	}

	@Test
	void binaryValuesOfOneCallAreNotThoseOfTheNext() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		byte[] value = decode(REPEATED).newMetadata().get(A_BIN);
		value[0] = 0;
		value[1] = 0;
		assertThat(decode(REPEATED).newMetadata().get(A_BIN)).containsExactly(0xab, 0xab);
	}

	@Test
	void aBlockThatInsertsInBetweenChangesWhatTheSameBytesMean() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		assertThat(decode(REPEATED).newMetadata().get(X)).isEqualTo("1");
		// x stands at 63; two more entries make it 65, and what stood at 61 is at 63
		decode(RawHpack.concat(REPEATED, RawHpack.insertingBlock("x", "2", "x", "3")));
		assertThat(decode(REPEATED).requestFault()).as("a regular field stands where :method stood").isNotNull();
		byte[] moved = RawHpack.indexed(71, 70, 69, 68, 67, 66, 63, 64);
		assertThat(decode(moved).newMetadata().getAll(X)).containsExactly("2");
		assertThat(decode(REPEATED).requestFault()).as("a regular field stands where :method stood").isNotNull();
	}

	@Test
	void anInsertByTrailersOrByAMalformedBlockIsSeenToo() throws Exception {
		String[] request = ScriptedPeer.request("/t.Echo/Unary");
		decode(RawHpack.insertingBlock(request));
		decode(RawHpack.insertingBlock("x", "1"));
		byte[] block = RawHpack.indexed(68, 67, 66, 65, 64, 63, 62);
		assertThat(decode(block).newMetadata().get(X)).isEqualTo("1");
		assertThat(decode(block).newMetadata().get(X)).isEqualTo("1");
		RequestHeaders malformed = decode(RawHpack.insertingBlock("X-Upper", "a"));
		assertThat(malformed.requestFault()).isNotNull();
		assertThat(decode(RawHpack.indexed(69, 68, 67, 66, 65, 64, 63)).newMetadata().get(X)).isEqualTo("1");
		assertThat(decode(block).requestFault()).as("the block now means other fields").isNotNull();
	}

	@Test
	void aTableThatWasEmptiedInBetweenMakesTheSameBytesAnError() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		decode(REPEATED);
		decode(RawHpack.concat(RawHpack.tableSize(0), RawHpack.block(REQUEST)));
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode(REPEATED));
	}

	@Test
	void aTableSizeUpdateBeforeTheSameFieldsIsNotPassedOver() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		decode(REPEATED);
		assertThat(fields(decode(RawHpack.concat(RawHpack.tableSize(4096), REPEATED)))).isEqualTo(REQUEST_FIELDS);
		assertThatExceptionOfType(Http2Exception.class)
			.isThrownBy(() -> decode(RawHpack.concat(RawHpack.tableSize(0), REPEATED)));
	}

	@Test
	void entriesThatWereEvictedInBetweenAreGone() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		decode(REPEATED);
		decode(RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "y", "z".repeat(4000))));
		assertThat(decode(RawHpack.insertingBlock(REQUEST)).requestFault()).isNull();
		assertThat(fields(decode(REPEATED))).isEqualTo(REQUEST_FIELDS);
	}

	@Test
	void anotherBlockOfTheSameLengthIsAnotherBlock() throws Exception {
		decode(RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "x", "1", "x", "2")));
		byte[] one = RawHpack.indexed(69, 68, 67, 66, 65, 64, 63);
		byte[] two = RawHpack.indexed(69, 68, 67, 66, 65, 64, 62);
		for (int i = 0; i < 3; i++) {
			assertThat(decode(one).newMetadata().get(X)).isEqualTo("1");
			assertThat(decode(two).newMetadata().get(X)).isEqualTo("2");
		}
	}

	@Test
	void aRequestIsRememberedThroughTheTrailersOfOthers() throws Exception {
		decode(RawHpack.insertingBlock(REQUEST));
		RequestHeaders first = decode(REPEATED);
		assertThat(decode(RawHpack.block("y", "trailer")).areTrailers()).isTrue();
		assertThat(fields(decode(REPEATED))).isEqualTo(fields(first));
	}

	@Test
	void malformedHeadersAreNotRemembered() throws Exception {
		byte[] block = RawHpack.block(":method", "POST", ":scheme", "http");
		assertThat(decode(block).requestFault()).contains(":path");
		assertThat(decode(block).requestFault()).contains(":path");
		byte[] upper = RawHpack.block("X", "y");
		assertThat(decode(upper)).isNotSameAs(decode(upper));
	}

	@Test
	void headersThatAreTooLargeAreToldFromMalformedOnes() throws Exception {
		assertThat(decode(RawHpack.block("x", "y".repeat(9000))).isTooLarge()).isTrue();
		assertThat(decode(RawHpack.block("X", "y")).isTooLarge()).isFalse();
		assertThat(decode(RawHpack.block(REQUEST)).isTooLarge()).isFalse();
	}

	/**
	 * Random sequences of a few blocks, most of them repeated, against Netty's decoder
	 * without a memo.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void everyBlockOfEverySequenceDecodesAsWithoutAMemo(long seed) throws Exception {
		Random random = new Random(seed);
		List<byte[]> blocks = new ArrayList<>();
		decodeBoth(RawHpack.insertingBlock("x", "a", "x", "b", "x", "c"), "seed " + seed);
		decodeBoth(RawHpack.insertingBlock(REQUEST), "seed " + seed);
		for (int step = 0; step < 1000; step++) {
			if (blocks.size() < 4 || random.nextInt(8) == 0) {
				blocks.add(block(random));
			}
			byte[] block = blocks.get(blocks.size() - 1 - random.nextInt(Math.min(4, blocks.size())));
			decodeBoth(block, "seed " + seed + ", step " + step);
		}
	}

	private void decodeBoth(byte[] block, String where) throws Http2Exception {
		List<String> expected;
		try {
			expected = fields(this.reference.decodeHeaders(1, Unpooled.wrappedBuffer(block)));
		}
		catch (Http2Exception.StreamException ex) {
			assertThat(decode(block).requestFault()).as(where).isNotNull();
			return;
		}
		RequestHeaders headers = decode(block);
		assertThat(fields(headers)).as(where).containsExactlyInAnyOrderElementsOf(expected);
	}

	private static byte[] block(Random random) {
		String[] request = ScriptedPeer.request("/t.Echo/" + random.nextInt(3), "x", "v" + random.nextInt(3));
		return switch (random.nextInt(9)) {
			case 0 -> RawHpack.insertingBlock(request);
			case 1 -> RawHpack.block(request);
			case 2 -> RawHpack.concat(RawHpack.tableSize(4096), RawHpack.block(request));
			case 3 -> RawHpack.insertingBlock("x", "y".repeat(random.nextInt(300)));
			case 4 -> RawHpack.insertingBlock("X-Upper", "a");
			default -> {
				// a request that was inserted before so many other fields; whether it
				// still is one there, and which, the table says
				int later = random.nextInt(4);
				yield RawHpack.indexed(68 + later, 67 + later, 66 + later, 65 + later, 64 + later, 63 + later,
						62 + later);
			}
		};
	}

	/**
	 * The fields but {@code te}, which is no metadata.
	 */
	private static List<String> fields(RequestHeaders headers) {
		List<String> fields = new ArrayList<>();
		add(fields, ":method", headers.method());
		add(fields, ":scheme", headers.scheme());
		add(fields, ":path", headers.path());
		add(fields, ":authority", headers.authority());
		byte[][] metadata = InternalMetadata.serialize(headers.newMetadata());
		for (int i = 0; i < metadata.length; i += 2) {
			String name = new String(metadata[i], ISO_8859_1);
			fields.add(name);
			fields.add(name.equals("a-bin") ? "q6s" : new String(metadata[i + 1], ISO_8859_1));
		}
		return fields;
	}

	private static void add(List<String> fields, String name, CharSequence value) {
		if (value != null) {
			fields.add(name);
			fields.add(value.toString());
		}
	}

	private static List<String> fields(Http2Headers headers) {
		List<String> fields = new ArrayList<>();
		for (Map.Entry<CharSequence, CharSequence> field : headers) {
			if (!field.getKey().toString().equals("te")) {
				add(fields, field.getKey().toString(), field.getValue());
			}
		}
		return fields;
	}

}
