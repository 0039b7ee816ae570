package dev.grpcloop.engine.message;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.netty.util.AsciiString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MetadataCodecTests {

	private static final Metadata.BinaryMarshaller<byte[]> BYTES = Metadata.BINARY_BYTE_MARSHALLER;

	@ParameterizedTest
	@CsvSource({ "a-bin, true", "grpc-status-details-bin, true", "-bin, true", "bin, false", "a-bi, false",
			"a-bin2, false", "a_bin, false", "a-BIN, false", "'', false", "x-a, false" })
	void binaryNamesEndWithBin(String name, boolean binary) {
		assertThat(MetadataCodec.isBinary(new AsciiString(name))).isEqualTo(binary);
		byte[] around = ("-bin" + name + "-bin").getBytes(US_ASCII);
		assertThat(MetadataCodec.isBinary(new AsciiString(around, 4, name.length(), false))).isEqualTo(binary);
	}

	@ParameterizedTest
	@CsvSource({ "q6ur, ABABAB", "q6s=, ABAB", "q6s, ABAB", "qw==, AB", "qw, AB", "+/+/, FBFFBF", "'', ''" })
	void paddedAndUnpaddedValuesAreTheSame(String value, String hex) {
		assertThat(decode(value)).asHexString().isEqualTo(hex);
	}

	@ParameterizedTest
	@ValueSource(strings = { "$$$", "q6ur!", "q6urq", "q", "q===", "=", "==", "====", "q6s==", "qw=", "q6=s", "q6ur=",
			"q6urqw=", "q6s=q6s=", "q6 r", "q6u\n", "-_-_", "q6s,AQI=", "q6ur\u00e9\u00e9\u00e9\u00e9" })
	void malformedBase64IsRejectedWithoutQuotingIt(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> decode(value))
			.withMessage("A binary metadata value of " + value.length()
					+ " bytes is not base64; allowed are A-Z, a-z, 0-9, + and /, padded with = to a multiple of 4 bytes"
					+ " or not padded at all, and a comma between two values")
			.withNoCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "q6s,AQI=", "q6s=,AQI", "q6s=, AQI=", " q6s ,\tAQI\t" })
	void joinedValuesAreSplitInOrder(String value) {
		assertThat(decodeValues(value)).containsExactly(new byte[] { (byte) 0xAB, (byte) 0xAB }, new byte[] { 1, 2 });
	}

	@Test
	void emptyValuesAreEmptyArrays() {
		assertThat(decodeValues("")).containsExactly(new byte[0]);
		assertThat(decodeValues("  ")).containsExactly(new byte[0]);
		assertThat(decodeValues(",q6s,")).containsExactly(new byte[0], new byte[] { (byte) 0xAB, (byte) 0xAB },
				new byte[0]);
	}

	@ParameterizedTest
	@ValueSource(strings = { "q6s,$$$", "$$$,q6s", "q6s,q", "q6s;AQI=", "q6s AQI=", "q 6s,AQI=" })
	void malformedValueAmongJoinedOnesIsRejected(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> decodeValues(value))
			.withMessageContaining("is not base64")
			.withMessageNotContaining("$");
	}

	@Test
	void randomBytesMakeTheRoundTripInEveryForm() {
		Random random = new Random(42);
		for (int run = 0; run < 3000; run++) {
			List<byte[]> values = new ArrayList<>();
			StringBuilder joined = new StringBuilder();
			for (int count = 1 + random.nextInt(4); count > 0; count--) {
				byte[] value = new byte[random.nextInt(50)];
				random.nextBytes(value);
				values.add(value);
				Base64.Encoder encoder = random.nextBoolean() ? Base64.getEncoder()
						: Base64.getEncoder().withoutPadding();
				joined.append(joined.isEmpty() && values.size() == 1 ? "" : ",").append(encoder.encodeToString(value));
			}
			assertThat(decodeValues(joined.toString()).toArray(byte[][]::new))
				.isDeepEqualTo(values.toArray(byte[][]::new));
		}
	}

	@Test
	void decodedBytesAreTheCallersOwn() {
		byte[] decoded = decode("q6ur");
		decoded[0] = 0;
		assertThat(decode("q6ur")).asHexString().isEqualTo("ABABAB");
	}

	@Test
	void emptyMetadataIsOneSharedArray() {
		assertThat(MetadataCodec.toWire(new Metadata())).isSameAs(MetadataCodec.NONE);
		Metadata emptied = new Metadata();
		emptied.put(text("x-a"), "1");
		emptied.discardAll(text("x-a"));
		assertThat(MetadataCodec.toWire(emptied)).isSameAs(MetadataCodec.NONE);
		Metadata reserved = new Metadata();
		reserved.put(text("te"), "trailers");
		assertThat(MetadataCodec.toWire(reserved)).isSameAs(MetadataCodec.NONE);
	}

	@Test
	void fieldsKeepTheirOrderAndBinaryValuesLoseTheirPadding() {
		Metadata metadata = new Metadata();
		metadata.put(text("X-First"), "1");
		metadata.put(binary("b-bin"), new byte[] { (byte) 0xAB, (byte) 0xAB });
		metadata.put(text("x-first"), "2");
		metadata.put(binary("b-bin"), new byte[] { (byte) 0xAB });
		metadata.put(binary("b-bin"), new byte[0]);
		metadata.put(text("x-last"), "");
		assertThat(wire(metadata)).containsExactly("x-first", "1", "b-bin", "q6s", "x-first", "2", "b-bin", "qw",
				"b-bin", "", "x-last", "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "content-type", "te", "user-agent", "content-length", "grpc-status", "grpc-message",
			"grpc-encoding", "grpc-accept-encoding", "connection", "keep-alive", "proxy-connection",
			"transfer-encoding", "upgrade", "host", ":status", ":path", ":" })
	void reservedNamesAreLeftOut(String name) {
		// as if echoed from a request: a key of this name would log a warning
		Metadata metadata = InternalMetadata.newMetadata("x-before".getBytes(US_ASCII), "1".getBytes(US_ASCII),
				name.getBytes(US_ASCII), "forged".getBytes(US_ASCII), "x-after".getBytes(US_ASCII),
				"2".getBytes(US_ASCII));
		assertThat(wire(metadata)).containsExactly("x-before", "1", "x-after", "2");
	}

	@Test
	void reservedNamesAreLeftOutHoweverTheKeySpellsThem() {
		Metadata metadata = new Metadata();
		metadata.put(text("Content-Type"), "text/html");
		metadata.put(text("GRPC-Status"), "0");
		metadata.put(InternalMetadata.keyOf(":status", Metadata.ASCII_STRING_MARSHALLER), "500");
		assertThat(MetadataCodec.toWire(metadata)).isSameAs(MetadataCodec.NONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc-status-details", "grpc-statu", "grpc-status2", "tf", "t", "hosts",
			"grpc-previous-rpc-attempts", "grpc-retry-pushback-ms", "trailer", "x-grpc-accept-encoding", "date",
			"server", "grpc-timeout" })
	void namesThatOnlyResembleReservedOnesPass(String name) {
		Metadata metadata = new Metadata();
		metadata.put(text(name), "v");
		assertThat(wire(metadata)).containsExactly(name, "v");
	}

	@Test
	void statusDetailsPass() {
		Metadata metadata = new Metadata();
		metadata.put(binary("grpc-status-details-bin"), new byte[] { 1, 2, 3 });
		assertThat(wire(metadata)).containsExactly("grpc-status-details-bin", "AQID");
	}

	@ParameterizedTest
	@ValueSource(strings = { "caf\u00c3\u00a9", "\u0000", "a\nb", "a\r\nx-forged: 1", "tab\t", "\u007f", "\u0080",
			"\u00ff" })
	void textValuesThatNoPeerMayBeSentAreLeftOut(String value) {
		Metadata metadata = InternalMetadata.newMetadata("x-a".getBytes(US_ASCII), value.getBytes(ISO_8859_1),
				"x-b".getBytes(US_ASCII), "2".getBytes(US_ASCII));
		assertThat(wire(metadata)).containsExactly("x-b", "2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "~", "spaces  within", "a,b", "%" })
	void printableTextValuesPassUnchanged(String value) {
		Metadata metadata = new Metadata();
		metadata.put(text("x-a"), value);
		assertThat(wire(metadata)).containsExactly("x-a", value);
	}

	@ParameterizedTest
	@CsvSource(ignoreLeadingAndTrailingWhitespace = false,
			value = { "  a b  ,a b", " a,a", "a ,a", "' ',''", "'    ',''" })
	void spacesAtTheEndsOfTextValuesAreLeftOutSinceHttp2AllowsNone(String value, String kept) {
		Metadata metadata = new Metadata();
		metadata.put(text("x-a"), value);
		assertThat(wire(metadata)).containsExactly("x-a", kept);
	}

	@Test
	void metadataIsNotChanged() {
		Metadata metadata = new Metadata();
		metadata.put(text("te"), "trailers");
		metadata.put(binary("b-bin"), new byte[] { 1 });
		byte[][] before = InternalMetadata.serialize(metadata);
		MetadataCodec.toWire(metadata);
		assertThat(InternalMetadata.serialize(metadata)).isDeepEqualTo(before);
		assertThat(metadata.get(binary("b-bin"))).containsExactly(1);
	}

	@Test
	void marshallerThatThrowsIsHeard() {
		Metadata metadata = new Metadata();
		metadata.put(Metadata.Key.of("x-bin", new Metadata.BinaryStreamMarshaller<String>() {

			@Override
			public InputStream toStream(String value) {
				throw new IllegalStateException("no bytes");
			}

			@Override
			public String parseStream(InputStream stream) {
				return "";
			}

		}), "v");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> MetadataCodec.toWire(metadata));
	}

	@Test
	void randomMetadataMakesTheRoundTrip() {
		Random random = new Random(44);
		for (int run = 0; run < 2000; run++) {
			Metadata metadata = new Metadata();
			List<String> expected = new ArrayList<>();
			for (int count = random.nextInt(6); count > 0; count--) {
				byte[] value = new byte[random.nextInt(20)];
				if (random.nextBoolean()) {
					random.nextBytes(value);
					metadata.put(binary("n" + count + "-bin"), value);
					expected.add("n" + count + "-bin=" + Arrays.toString(value));
				}
				else {
					for (int i = 0; i < value.length; i++) {
						value[i] = (byte) (0x20 + random.nextInt(0x5F));
					}
					String text = new String(value, US_ASCII);
					metadata.put(text("n" + count), text);
					expected.add("n" + count + "=" + Arrays.toString(text.strip().getBytes(US_ASCII)));
				}
			}
			byte[][] wire = MetadataCodec.toWire(metadata);
			List<String> actual = new ArrayList<>();
			for (int i = 0; i < wire.length; i += 2) {
				AsciiString name = new AsciiString(wire[i]);
				byte[] value = MetadataCodec.isBinary(name)
						? MetadataCodec.decodeBinary(wire[i + 1], 0, wire[i + 1].length) : wire[i + 1];
				actual.add(name + "=" + Arrays.toString(value));
			}
			assertThat(actual).isEqualTo(expected);
		}
	}

	/** Decodes from the middle of an array, since that is where header values lie. */
	private static byte[] decode(String value) {
		byte[] around = ("AAAA" + value + "AAAA").getBytes(ISO_8859_1);
		return MetadataCodec.decodeBinary(around, 4, value.length());
	}

	private static List<byte[]> decodeValues(String value) {
		byte[] around = ("AAA," + value + ",AAA").getBytes(ISO_8859_1);
		List<byte[]> values = new ArrayList<>();
		MetadataCodec.decodeBinaryValues(around, 4, value.length(), values::add);
		return values;
	}

	private static List<String> wire(Metadata metadata) {
		return Arrays.stream(MetadataCodec.toWire(metadata)).map((field) -> new String(field, ISO_8859_1)).toList();
	}

	private static Metadata.Key<String> text(String name) {
		return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
	}

	private static Metadata.Key<byte[]> binary(String name) {
		return Metadata.Key.of(name, BYTES);
	}

}
