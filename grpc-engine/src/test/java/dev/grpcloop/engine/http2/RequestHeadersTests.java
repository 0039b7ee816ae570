package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the headers of a request must be, and what becomes of those that are not.
 */
class RequestHeadersTests {

	private static final int PROTOCOL_ERROR = 1;

	private static final int RESOURCE_EXHAUSTED = 8;

	private static final int INTERNAL = 13;

	private static final Metadata.Key<byte[]> A_BIN = Metadata.Key.of("a-bin", Metadata.BINARY_BYTE_MARSHALLER);

	private static final Metadata.Key<String> X = Metadata.Key.of("x", Metadata.ASCII_STRING_MARSHALLER);

	private final ScriptedService service = new ScriptedService();

	static Stream<Arguments> malformed() {
		return Stream.of(without(":method"), without(":scheme"), without(":path"), with(":method", ""),
				with(":scheme", ""), with(":path", ""), twice(":method"), twice(":scheme"), twice(":path"),
				twice(":authority"), more(":status", "200"), first(":status", "200"), first(":protocol", "websocket"),
				first(":nope", "a"), first(":", "a"), more(":authority", "late"), more(":path", "/t.Echo/Unary"),
				more("X-Upper", "a"), more("x-uppeR", "a"), more("", "a"), more("x y", "a"), more("x:y", "a"),
				more("x\u0000", "a"), more("x\u00e9", "a"), more("x\u007f", "a"), more("x", "a\u0000b"),
				more("x", "a\rb"), more("x", "a\nb"), more("connection", "close"), more("keep-alive", "5"),
				more("proxy-connection", "close"), more("transfer-encoding", "chunked"), more("upgrade", "h2c"),
				more("te", "gzip"), more("te", "trailers, gzip"), more("te", ""),
				first("x", "a pseudo-header field follows"), first(":Path", "/t.Echo/Unary"), more(":x", "a"),
				with(":path", "/t.Echo\n/Unary"), with(":path", "/t.Echo\u0000/Unary"), with(":method", "CONNECT"),
				fields(":method", "CONNECT"),
				fields(":method", "CONNECT", ":authority", "localhost", ":path", "/t.Echo/Unary"),
				fields(":method", "CONNECT", ":authority", "localhost", ":scheme", "http"), with(":method", "PO\rST"),
				with(":scheme", "ht\ntp"), with(":authority", "local\u0000host"));
	}

	private static Arguments without(String name) {
		List<String> fields = request();
		int index = fields.indexOf(name);
		fields.remove(index);
		fields.remove(index);
		return arguments("no " + name, fields);
	}

	private static Arguments with(String name, String value) {
		List<String> fields = request();
		fields.set(fields.indexOf(name) + 1, value);
		return arguments(name + " is '" + value.replace("\n", "\\n") + "'", fields);
	}

	private static Arguments fields(String... fields) {
		return arguments("nothing but " + String.join(" ", fields), List.of(fields));
	}

	private static Arguments twice(String name) {
		List<String> fields = request();
		int index = fields.indexOf(name);
		fields.addAll(index, fields.subList(index, index + 2).stream().toList());
		return arguments("two " + name, fields);
	}

	private static Arguments more(String name, String value) {
		List<String> fields = request();
		fields.addAll(List.of(name, value));
		return arguments("a last field " + printable(name + ": " + value), fields);
	}

	private static Arguments first(String name, String value) {
		List<String> fields = request();
		fields.addAll(0, List.of(name, value));
		return arguments("a first field " + name, fields);
	}

	private static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		text.chars()
			.forEach((c) -> printable
				.append((c > 0x20 && c < 0x7f) ? String.valueOf((char) c) : "<" + Integer.toHexString(c) + ">"));
		return printable.toString();
	}

	private static List<String> request() {
		return new ArrayList<>(Arrays.asList(ScriptedPeer.request("/t.Echo/Unary")));
	}

	/**
	 * RFC 9113 sections 8.2 and 8.3; case B10 for the path.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("malformed")
	void aMalformedRequestEndsItsStreamAlone(String name, List<String> fields) {
		byte[] block = RawHpack.block(fields.toArray(new String[0]));
		byte[] inserting = RawHpack.insertingBlock(fields.toArray(new String[0]));
		for (int flags : new int[] { 0, ScriptedPeer.END_STREAM }) {
			for (boolean warm : new boolean[] { false, true }) {
				endsItsStreamAlone(flags, warm, block);
				endsItsStreamAlone(flags, warm, inserting);
			}
		}
	}

	/**
	 * Sends a block twice, first of all or after a good request that is remembered.
	 */
	private void endsItsStreamAlone(int flags, boolean warm, byte[] block) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			if (warm) {
				peer.servesACall(1).servesACall(3);
			}
			this.service.calls.clear();
			for (int id : new int[] { 5, 7 }) {
				peer.headers(id, flags, block);
				if (flags == 0) {
					peer.data(id, ScriptedPeer.ABC);
				}
				peer.play();
				assertThat(peer.stream(id).resetCode).isEqualTo(PROTOCOL_ERROR);
				assertThat(peer.stream(id).headers).isEmpty();
			}
			assertThat(this.service.calls).isEmpty();
			assertThat(peer.oracle.goAways()).isEmpty();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(9);
		}
	}

	/**
	 * RFC 9113 section 8.2.1, octet by octet.
	 */
	@Test
	void namesAndValuesHaveTheOctetsThatTheyMayHave() {
		for (int octet = 0; octet < 256; octet++) {
			boolean inName = octet > 0x20 && octet < 0x7f && octet != ':' && (octet < 'A' || octet > 'Z');
			boolean inValue = octet != 0 && octet != '\r' && octet != '\n';
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
				verifyOctet(peer, 1, "n" + (char) octet, "v", inName);
				verifyOctet(peer, 3, (char) octet + "n", "v", inName);
				verifyOctet(peer, 5, "n", "v" + (char) octet + "v", inValue);
				verifyOctet(peer, 7, "n", "v" + (char) octet, inValue);
			}
		}
	}

	private static void verifyOctet(ScriptedPeer peer, int streamId, String name, String value, boolean allowed) {
		peer.headers(streamId, ScriptedPeer.request("/t.Echo/Unary", name, value)).lastData(streamId, ScriptedPeer.ABC);
		peer.play();
		WireStream stream = peer.stream(streamId);
		assertThat(stream.isReset() ? (int) stream.resetCode : -1).as("%s", printable(name + ": " + value))
			.isEqualTo(allowed ? -1 : PROTOCOL_ERROR);
		assertThat(stream.status()).isEqualTo(allowed ? 0 : -1);
	}

	@Test
	void aMalformedBlockEntersTheTableAllTheSame() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			List<String> fields = request();
			fields.addAll(List.of("X-Upper", "a", "x", "after the fault"));
			peer.headers(1, 0, RawHpack.insertingBlock(fields.toArray(new String[0]))).play();
			assertThat(peer.stream(1).resetCode).isEqualTo(PROTOCOL_ERROR);
			peer.headers(3, 0, RawHpack.indexed(69, 68, 67, 66, 65, 64, 62)).lastData(3, ScriptedPeer.ABC).play();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(this.service.onlyCall().metadata.get(X)).isEqualTo("after the fault");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, ScriptedPeer.END_STREAM })
	void headersThatAreTooLargeAreAnsweredResourceExhausted(int flags) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 1000).connected()) {
			peer.headers(1, flags, RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "x", "y".repeat(900))))
				.play();
			WireStream stream = peer.stream(1);
			assertThat(stream.trailersOnly).isTrue();
			assertThat(stream.header(":status")).isEqualTo("200");
			assertThat(stream.status()).isEqualTo(RESOURCE_EXHAUSTED);
			assertThat(stream.trailer("grpc-message")).isEqualTo("Request metadata is larger than 1000 bytes");
			assertThat(stream.resetAfterEnd).isEqualTo(flags == 0);
			assertThat(this.service.calls).isEmpty();
			// the table is as it would be after headers that fit
			peer.headers(3, 0, RawHpack.indexed(68, 67, 66, 65, 64, 63)).lastData(3, ScriptedPeer.ABC).play();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(65535);
		}
	}

	@Test
	void headersOfExactlyTheLimitAreServed() {
		int size = Arrays.stream(ScriptedPeer.request("/t.Echo/Unary")).mapToInt(String::length).sum() + 6 * 32 + 33;
		for (int more : new int[] { 0, 1 }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 1000).connected()) {
				peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "x", "y".repeat(1000 - size + more)))
					.lastData(1, ScriptedPeer.ABC)
					.play();
				assertThat(peer.stream(1).status()).isEqualTo((more > 0) ? RESOURCE_EXHAUSTED : 0);
			}
		}
	}

	@Test
	void aBlockThatIsTooLargeToDecodeEndsTheConnection() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 1000).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "x", "y".repeat(4000))).play();
			assertThat(peer.oracle.goAways()).hasSize(1);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void trailersThatAreTooLargeEndTheirStream() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(100, 65535, 1000).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.headers(1, ScriptedPeer.END_STREAM, RawHpack.block("x", "y".repeat(1000)))
				.play();
			assertThat(peer.stream(1).resetCode).isEqualTo(PROTOCOL_ERROR);
			assertThat(this.service.onlyCall().cancelled).isTrue();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(3);
		}
	}

	@Test
	void aHeaderBlockMayComeInManyFrames() {
		byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary", "x", "y".repeat(5000)));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.fragmentedHeaders(1, 0, block, 1, 0, 7, block.length - 9).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
			peer.fragmentedHeaders(3, ScriptedPeer.END_STREAM, block, 100, 100).play();
			assertThat(this.service.call(1).events).containsExactly("start", "ready", "halfClose", "cancel");
			assertThat(this.service.call(1).metadata.get(X)).hasSize(5000);
		}
	}

	/**
	 * Case B11.
	 */
	@Test
	void theAuthorityIsTheAuthorityFieldElseTheHost() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "host", "other")).play();
			peer.headers(3, ":method", "POST", ":scheme", "http", ":path", "/t.Echo/Unary", "host", "a", "content-type",
					"application/grpc")
				.play();
			peer.headers(5, ":method", "POST", ":scheme", "http", ":path", "/t.Echo/Unary", "content-type",
					"application/grpc")
				.play();
			assertThat(this.service.call(0).call.getAuthority()).isEqualTo("localhost");
			assertThat(this.service.call(1).call.getAuthority()).isEqualTo("a");
			assertThat(this.service.call(2).call.getAuthority()).isNull();
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.metadata.keys()).doesNotContain("host",
					"te", ":authority", ":path", ":method", ":scheme"));
		}
	}

	/**
	 * Case B09 (i).
	 */
	@Test
	void aRequestWithoutTeIsServed() {
		List<String> fields = request();
		fields.removeAll(List.of("te", "trailers"));
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, fields.toArray(new String[0])).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
		}
	}

	/**
	 * Case B14.
	 */
	@Test
	void binaryMetadataIsDecodedHoweverItIsPaddedAndJoined() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "a-bin", "q6ur", "a-bin", "q6s=", "a-bin", "q6s",
					"a-bin", "q6s,AQI=", "a-bin", ""))
				.play();
			assertThat(this.service.onlyCall().metadata.getAll(A_BIN)).containsExactly(
					new byte[] { (byte) 0xab, (byte) 0xab, (byte) 0xab }, new byte[] { (byte) 0xab, (byte) 0xab },
					new byte[] { (byte) 0xab, (byte) 0xab }, new byte[] { (byte) 0xab, (byte) 0xab },
					new byte[] { 1, 2 }, new byte[0]);
		}
	}

	/**
	 * Case B14.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "$$$", "q6urq", "q6ur, ,*", "q6s=q6s=" })
	void binaryMetadataThatIsNoBase64EndsItsCall(String value) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "a-bin", value)).data(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isEqualTo(INTERNAL);
			assertThat(peer.stream(1).trailer("grpc-message")).contains("a-bin").doesNotContain(value);
			assertThat(this.service.calls).isEmpty();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(3);
		}
	}

	/**
	 * Case B14.
	 */
	@Test
	void aTextValueThatIsNoAsciiDoesNotFailTheCallEvenIfItIsSentBack() {
		this.service.behaves(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				Metadata headers = new Metadata();
				headers.merge(call.metadata);
				call.sendHeaders(headers);
				call.send(new byte[] { 1 });
				call.close(Status.OK, headers);
			}

		});
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.lastHeaders(1,
					ScriptedPeer.request("/t.Raw/Unary", "x", "caf\u00c3\u00a9", "y", " ".repeat(200), "z", "kept"))
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).header("x")).isNull();
			assertThat(peer.stream(1).header("z")).isEqualTo("kept");
			assertThat(peer.stream(1).trailer("z")).isEqualTo("kept");
			assertThat(WireStream.fields(peer.stream(1).headers, "content-type")).hasSize(1);
		}
	}

}
