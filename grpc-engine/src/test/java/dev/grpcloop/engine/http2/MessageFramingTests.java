package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import com.sun.management.ThreadMXBean;
import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Messages that are none: the call ends with a status in its trailers, the service never
 * hears of the message, and the connection goes on.
 */
class MessageFramingTests {

	private static final int RESOURCE_EXHAUSTED = 8;

	private static final int UNIMPLEMENTED = 12;

	private static final int INTERNAL = 13;

	private static final int MAX_MESSAGE_SIZE = 4 * 1024 * 1024;

	private final ScriptedService service = new ScriptedService();

	/**
	 * Service code runs on the loop or off it.
	 */
	private ScriptedPeer connected(boolean offLoop) {
		if (!offLoop) {
			return ScriptedPeer.of(this.service).connected();
		}
		return ScriptedPeer.of(this.service).runsOffLoop().connected();
	}

	static Stream<Arguments> brokenFraming() {
		Stream.Builder<Arguments> cases = Stream.builder();
		for (boolean offLoop : new boolean[] { false, true }) {
			for (int flag : new int[] { 0x02, 0xAF, 60, 64, 10, 0xFF }) {
				cases
					.add(arguments("flag " + flag, offLoop, new byte[] { (byte) flag, 0, 0, 0, 0 }, "flag is " + flag));
			}
			cases.add(arguments("an end after 4 of 10 bytes", offLoop, new byte[] { 0, 0, 0, 0, 10, 1, 2, 3, 4 },
					"in the middle of"));
			cases.add(arguments("an end after the prefix", offLoop, new byte[] { 0, 0, 0, 0, 1 }, "in the middle of"));
			for (int length = 1; length < 5; length++) {
				cases.add(arguments("an end after " + length + " bytes of the prefix", offLoop, new byte[length],
						"in the middle of"));
			}
		}
		return cases.build();
	}

	/**
	 * Case B02.
	 */
	@ParameterizedTest(name = "{0}, off loop: {1}")
	@MethodSource("brokenFraming")
	void brokenFramingIsInternal(String name, boolean offLoop, byte[] bytes, String description) {
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).lastData(1, bytes).play();
			assertThat(peer.stream(1).status()).isEqualTo(INTERNAL);
			assertThat(StatusText.decode(peer.stream(1).trailer("grpc-message"))).contains(description);
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(this.service.calls).allSatisfy((call) -> {
				assertThat(call.received).isEmpty();
				assertThat(call.events).doesNotContain("halfClose");
				assertThat(call.cancelled).isTrue();
			});
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(3);
		}
	}

	/**
	 * Case B02.
	 */
	@Test
	void messagesBeforeTheBrokenOneAreDelivered() {
		try (ScriptedPeer peer = connected(false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.data(1, RawHpack.concat(ScriptedPeer.ABC, new byte[] { 2, 0, 0, 0, 0 }, ScriptedPeer.ABC))
				.play();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
			assertThat(peer.stream(1).status()).isEqualTo(INTERNAL);
			assertThat(peer.stream(1).resetAfterEnd).isTrue();
			peer.data(1, new byte[1000]).play();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(3);
		}
	}

	/**
	 * Case B03.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aCompressedMessageWithoutAnEncodingIsInternal(boolean offLoop) {
		byte[] compressed = ScriptedPeer.ABC.clone();
		compressed[0] = 1;
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, compressed).play();
			peer.headers(3, ScriptedPeer.request("/t.Echo/Unary", "grpc-encoding", "identity"))
				.lastData(3, compressed)
				.play();
			for (int id : new int[] { 1, 3 }) {
				assertThat(peer.stream(id).status()).isEqualTo(INTERNAL);
				assertThat(peer.stream(id).trailer("grpc-message")).contains("compressed flag");
				assertThat(peer.stream(id).isReset()).isFalse();
			}
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.received).isEmpty());
			peer.servesACall(5);
		}
	}

	/**
	 * Case B04 (a) and (b).
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void anUnknownEncodingIsUnimplemented(int flag) {
		byte[] message = ScriptedPeer.ABC.clone();
		message[0] = (byte) flag;
		try (ScriptedPeer peer = connected(false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-encoding", "zz9")).lastData(1, message).play();
			WireStream stream = peer.stream(1);
			assertThat(stream.status()).isEqualTo(UNIMPLEMENTED);
			assertThat(stream.trailer("grpc-message")).contains("zz9");
			assertThat(stream.header("grpc-accept-encoding")).isNotNull().doesNotContain("zz9");
			assertThat(this.service.calls).isEmpty();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNIMPLEMENTED);
			peer.servesACall(3);
		}
	}

	static Stream<Arguments> corrupt() throws IOException {
		byte[] gzip = gzip(RawHpack.concat(new byte[] { 0x0a, 3 }, "abc".getBytes()));
		return Stream.of(arguments("/t.Echo/Unary", new byte[] { (byte) 0xde, (byte) 0xad, (byte) 0xbe, (byte) 0xef }),
				arguments("/t.Raw/Unary", new byte[] { (byte) 0xde, (byte) 0xad, (byte) 0xbe, (byte) 0xef }),
				arguments("/t.Echo/Unary", Arrays.copyOf(gzip, gzip.length - 3)),
				arguments("/t.Raw/Unary", Arrays.copyOf(gzip, gzip.length - 3)),
				arguments("/t.Echo/Unary", Arrays.copyOf(gzip, 5)), arguments("/t.Raw/Unary", Arrays.copyOf(gzip, 12)));
	}

	private static byte[] gzip(byte[] bytes) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
			gzip.write(bytes);
		}
		return out.toByteArray();
	}

	/**
	 * Case B04 (c) and (d).
	 */
	@ParameterizedTest
	@MethodSource("corrupt")
	void corruptCompressionIsInternal(String path, byte[] body) {
		for (boolean offLoop : new boolean[] { false, true }) {
			byte[] message = ScriptedPeer.message(body);
			message[0] = 1;
			try (ScriptedPeer peer = connected(offLoop)) {
				peer.headers(1, ScriptedPeer.request(path, "grpc-encoding", "gzip")).lastData(1, message).play();
				assertThat(peer.stream(1).status()).isEqualTo(INTERNAL);
				assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.received).isEmpty());
				peer.servesACall(3);
			}
			this.service.calls.clear();
		}
	}

	@Test
	void aCompressedMessageIsDecompressed() throws IOException {
		byte[] message = ScriptedPeer.message(gzip(RawHpack.concat(new byte[] { 0x0a, 3 }, "abc".getBytes())));
		message[0] = 1;
		try (ScriptedPeer peer = connected(false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-encoding", "gzip")).lastData(1, message).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
		}
	}

	static Stream<Arguments> permissions() {
		return Stream.of(arguments("", new int[] { 0, 0, 0 }), arguments("identity", new int[] { 0, 0, 0 }),
				arguments("gzip, identity", new int[] { 1, 0, 1 }), arguments("identity,gzip", new int[] { 1, 0, 1 }));
	}

	/**
	 * Case B08.
	 */
	@ParameterizedTest
	@MethodSource("permissions")
	void responsesAreCompressedByPermissionOnly(String accepted, int[] flags) {
		for (boolean offLoop : new boolean[] { false, true }) {
			this.service.behaves(new Behaviour() {

				@Override
				public void halfClosed(ServedCall call) {
					call.call.setCompression("gzip");
					for (int i = 0; i < 3; i++) {
						call.call.setMessageCompression(i != 1);
						call.send(new byte[100]);
					}
					call.close(Status.OK);
				}

			});
			try (ScriptedPeer peer = connected(offLoop)) {
				String[] more = accepted.isEmpty() ? new String[0] : new String[] { "grpc-accept-encoding", accepted };
				peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/Bidi", more)).play();
				assertThat(peer.stream(1).status()).isZero();
				assertThat(flags(peer.stream(1).body.toByteArray())).containsExactly(flags);
				if (flags[0] == 1) {
					assertThat(peer.stream(1).header("grpc-encoding")).isEqualTo("gzip");
				}
				else {
					assertThat(peer.stream(1).header("grpc-encoding")).isIn(null, "identity");
				}
			}
		}
	}

	private static int[] flags(byte[] body) {
		ByteBuffer bytes = ByteBuffer.wrap(body);
		IntStream.Builder flags = IntStream.builder();
		while (bytes.hasRemaining()) {
			flags.add(bytes.get());
			int length = bytes.getInt();
			bytes.position(bytes.position() + length);
		}
		return flags.build().toArray();
	}

	/**
	 * Case B05.
	 */
	@Test
	void aMessageThatGrowsBeyondTheLimitIsResourceExhausted() throws IOException {
		this.service.behaves(Behaviour.SINK);
		for (int more : new int[] { 0, 1 }) {
			byte[] message = ScriptedPeer.message(gzip(new byte[1000 + more]));
			message[0] = 1;
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).maxMessageSize(1000).connected()) {
				peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi", "grpc-encoding", "gzip")).data(1, message).play();
				assertThat(peer.stream(1).status()).isEqualTo((more > 0) ? RESOURCE_EXHAUSTED : -1);
				assertThat(this.service.onlyCall().received).hasSize(1 - more);
				assertThat(this.service.onlyCall().cancelled).isEqualTo(more > 0);
			}
			this.service.calls.clear();
		}
	}

	/**
	 * Case B05: whether the zeros are a message of the method's or not.
	 */
	@ParameterizedTest
	@CsvSource({ "/t.Echo/Unary, false", "/t.Echo/Unary, true", "/t.Raw/Unary, false", "/t.Raw/Unary, true" })
	void aBombIsResourceExhaustedAndTakesLittleMemory(String path, boolean offLoop) throws IOException {
		ByteArrayOutputStream bomb = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
			byte[] zeros = new byte[1024 * 1024];
			for (int i = 0; i < 64; i++) {
				gzip.write(zeros);
			}
		}
		byte[] message = ScriptedPeer.message(bomb.toByteArray());
		message[0] = 1;
		try (ScriptedPeer peer = connected(offLoop)) {
			peer.headers(1, ScriptedPeer.request(path, "grpc-encoding", "gzip")).message(1, message).lastData(1);
			ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
			long before = memory.getCurrentThreadAllocatedBytes();
			peer.play();
			assertThat(memory.getCurrentThreadAllocatedBytes() - before).as("bytes allocated on the way")
				.isLessThan(8L * MAX_MESSAGE_SIZE);
			assertThat(peer.stream(1).status()).isEqualTo(RESOURCE_EXHAUSTED);
			assertThat(peer.stream(1).trailer("grpc-message"))
				.isEqualTo("Decompressed gRPC message exceeds maximum size 4194304");
			assertThat(peer.stream(1).resetCode).as("no more than NO_ERROR").isIn(-1L, 0L);
			ServedCall call = this.service.onlyCall();
			assertThat(call.received).isEmpty();
			assertThat(call.events).endsWith("cancel").doesNotContain("halfClose", "complete");
			peer.servesACall(3);
		}
	}

	/**
	 * Case B06.
	 */
	@ParameterizedTest
	@ValueSource(longs = { MAX_MESSAGE_SIZE + 1, 0x7FFFFFFFL, 0x80000000L, 0xFFFFFFFFL })
	void anOversizedPrefixIsAnsweredBeforeTheMessageComes(long length) {
		for (boolean offLoop : new boolean[] { false, true }) {
			byte[] prefix = { 0, (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length };
			try (ScriptedPeer peer = connected(offLoop)) {
				peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).data(1, prefix).play();
				WireStream stream = peer.stream(1);
				assertThat(stream.status()).isEqualTo(RESOURCE_EXHAUSTED);
				assertThat(stream.trailer("grpc-message")).contains(String.valueOf(MAX_MESSAGE_SIZE))
					.contains(String.valueOf(length));
				assertThat(stream.resetAfterEnd).isTrue();
				peer.data(1, new byte[16384]).lastData(1, new byte[16384]).play();
				assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
				assertThat(this.service.calls).allSatisfy((call) -> {
					assertThat(call.received).isEmpty();
					assertThat(call.cancelled).isTrue();
				});
				peer.servesACall(3);
			}
			this.service.calls.clear();
		}
	}

	/**
	 * Case B06, while part of a response is out.
	 */
	@Test
	void anOversizedPrefixIsAnsweredWithItsStatusAlsoInTheMiddleOfAResponse() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 6)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, ScriptedPeer.ABC).play();
			WireStream stream = peer.stream(1);
			assertThat(stream.body.size()).as("part of the response").isEqualTo(6);
			peer.data(1, new byte[] { 0, 0x7F, 0, 0, 0 }).play();
			assertThat(stream.status()).isEqualTo(RESOURCE_EXHAUSTED);
			assertThat(stream.resetAfterEnd).isTrue();
			assertThat(stream.body.size()).isEqualTo(6);
		}
	}

	/**
	 * Case B06.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aMessageOfExactlyTheLimitIsDelivered(boolean offLoop) {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(offLoop)) {
			byte[] message = ScriptedPeer.message(new byte[MAX_MESSAGE_SIZE]);
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi"));
			for (int offset = 0; offset < message.length; offset += 16384) {
				peer.data(1, Arrays.copyOfRange(message, offset, Math.min(message.length, offset + 16384))).play();
			}
			assertThat(this.service.onlyCall().events).endsWith("message:" + MAX_MESSAGE_SIZE);
			assertThat(peer.stream(1).isReset()).isFalse();
		}
	}

}
