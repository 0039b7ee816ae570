package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Frames that a client must not send, or not then: the error is the connection's or the
 * stream's as RFC 9113 says, and the calls of other streams go on after a stream error.
 * What depends on the state of the stream is in {@link FramesInEveryStateTests}.
 */
class FrameRulesTests {

	private static final int NO_ERROR = 0;

	private static final int PROTOCOL_ERROR = 1;

	private static final int FLOW_CONTROL_ERROR = 3;

	private static final int FRAME_SIZE_ERROR = 6;

	private static final int REFUSED_STREAM = 7;

	private static final int COMPRESSION_ERROR = 9;

	private final ScriptedService service = new ScriptedService();

	static Stream<Arguments> connectionErrors() {
		byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary"));
		return Stream
			.of(error("a frame larger than 16384 bytes", FRAME_SIZE_ERROR,
					(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
						.frame(Http2FrameTypes.DATA, 0, 1, new byte[16385])),
					error("an unknown frame larger than 16384 bytes", FRAME_SIZE_ERROR,
							(peer) -> peer.frame(0x77, 0, 0, new byte[16385])),
					error("DATA on an idle stream below one in use", PROTOCOL_ERROR,
							(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(2, new byte[1])),
					error("DATA on stream 0", PROTOCOL_ERROR, (peer) -> peer.data(0, new byte[1])),
					error("DATA with more padding than bytes", PROTOCOL_ERROR,
							(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
								.frame(Http2FrameTypes.DATA, ScriptedPeer.PADDED, 1, (byte) 9, (byte) 0)),
					error("HEADERS on an even stream", PROTOCOL_ERROR,
							(peer) -> peer.headers(2, ScriptedPeer.request("/t.Echo/Unary"))),
					error("HEADERS on stream 0", PROTOCOL_ERROR,
							(peer) -> peer.headers(0, ScriptedPeer.request("/t.Echo/Unary"))),
					error("a header block that is no HPACK", COMPRESSION_ERROR,
							(peer) -> peer.headers(1, 0, RawHpack.indexed(127))),
					error("a header block that ends in a field", COMPRESSION_ERROR,
							(peer) -> peer.headers(1, 0, Arrays.copyOf(block, block.length - 1))),
					error("a table larger than the server's", COMPRESSION_ERROR,
							(peer) -> peer.headers(1, 0, RawHpack.concat(RawHpack.tableSize(4097), block))),
					error("another frame within a header block", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.HEADERS, 0, 1, block).ping(1)),
					error("another stream's frame within a header block", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.HEADERS, 0, 1, block)
								.frame(Http2FrameTypes.CONTINUATION, ScriptedPeer.END_HEADERS, 3)),
					error("RST_STREAM on stream 0", PROTOCOL_ERROR, (peer) -> peer.reset(0, 8)),
					error("RST_STREAM of 5 bytes", FRAME_SIZE_ERROR,
							(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
								.frame(Http2FrameTypes.RST_STREAM, 0, 1, new byte[5])),
					error("WINDOW_UPDATE of 0 on the connection (case B31)", PROTOCOL_ERROR,
							(peer) -> peer.illegalWindowUpdate(0, 0)),
					error("WINDOW_UPDATE above 2^31-1 on the connection (case B31)", FLOW_CONTROL_ERROR, (
							peer) -> peer.illegalWindowUpdate(0, Integer.MAX_VALUE - 65534)),
					error("WINDOW_UPDATE of 3 bytes", FRAME_SIZE_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, new byte[3])),
					error("an initial window above 2^31-1", FLOW_CONTROL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, 0, 0, setting(0x4, -1))),
					error("an initial window that makes a stream's too large", FLOW_CONTROL_ERROR,
							(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
								.windowUpdate(1, 1)
								.frame(Http2FrameTypes.SETTINGS, 0, 0, setting(0x4, Integer.MAX_VALUE))),
					error("a maximum frame size below 16384", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, 0, 0, setting(0x5, 16383))),
					error("a maximum frame size of 2^24", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, 0, 0, setting(0x5, 1 << 24))),
					error("ENABLE_PUSH of 2", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, 0, 0, setting(0x2, 2))),
					error("SETTINGS of 7 bytes", FRAME_SIZE_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, 0, 0, new byte[7])),
					error("an acknowledgement with settings", FRAME_SIZE_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.SETTINGS, ScriptedPeer.ACK, 0, new byte[6])),
					error("PING of 7 bytes", FRAME_SIZE_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.PING, 0, 0, new byte[7])),
					error("PRIORITY that depends on itself, on an idle stream", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.PRIORITY, 0, 1, new byte[] { 0, 0, 0, 1, 5 })),
					error("HEADERS that depend on themselves", PROTOCOL_ERROR,
							(peer) -> peer.frame(Http2FrameTypes.HEADERS, 0x24, 1,
									RawHpack.concat(new byte[] { 0, 0, 0, 1, 5 }, block))));
	}

	private static Arguments error(String name, int errorCode, Consumer<ScriptedPeer> frames) {
		return arguments(name, errorCode, frames);
	}

	private static byte[] setting(int id, int value) {
		return ByteBuffer.allocate(6).putShort((short) id).putInt(value).array();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("connectionErrors")
	void endsTheConnection(String name, int errorCode, Consumer<ScriptedPeer> frames) {
		this.service.behaves(Behaviour.SILENT);
		this.service.behaves((call) -> call.method().endsWith("Unary") ? Behaviour.ECHO : Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			frames.accept(peer);
			peer.play();
			assertThat(peer.oracle.goAways()).singleElement().satisfies((goAway) -> {
				assertThat(goAway.errorCode()).as(goAway.debugData()).isEqualTo(errorCode);
				assertThat(goAway.debugData()).as("nothing of the server's inside").doesNotContain("ByteBuf", "ridx");
			});
			assertThat(peer.isLeft()).isTrue();
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.isEnded()).isTrue());
			assertThat(peer.oracle.frames()).noneMatch((frame) -> frame.startsWith("RST_STREAM"));
			peer.ping(5).play();
			assertThat(peer.oracle.pingAcks()).as("what comes after the error is not read").isEmpty();
		}
	}

	@Test
	void goAwayNamesTheLastStreamThatWasServed() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.servesACall(1).servesACall(7).illegalWindowUpdate(0, 0).play();
			assertThat(peer.oracle.goAways()).singleElement()
				.satisfies((goAway) -> assertThat(goAway.lastStreamId()).isEqualTo(7));
		}
	}

	static Stream<Arguments> streamErrors() {
		return Stream.of(
				error("WINDOW_UPDATE of 0 (case B31)", PROTOCOL_ERROR, (peer) -> peer.illegalWindowUpdate(1, 0)),
				error("WINDOW_UPDATE above 2^31-1 (case B31)", FLOW_CONTROL_ERROR,
						(peer) -> peer.illegalWindowUpdate(1, Integer.MAX_VALUE - 65534)),
				error("a second request (case B13 a)", PROTOCOL_ERROR,
						(peer) -> peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, ScriptedPeer.ABC)),
				error("trailers with a pseudo-header field (case B13 c)", PROTOCOL_ERROR,
						(peer) -> peer.data(1, ScriptedPeer.ABC).lastHeaders(1, ":path", "/t.Echo/Bidi")),
				error("trailers with a connection field", PROTOCOL_ERROR,
						(peer) -> peer.lastHeaders(1, "connection", "close")),
				error("trailers with an upper-case name", PROTOCOL_ERROR, (peer) -> peer.lastHeaders(1, "X-A", "b")),
				error("PRIORITY of 4 bytes", FRAME_SIZE_ERROR,
						(peer) -> peer.frame(Http2FrameTypes.PRIORITY, 0, 1, new byte[4])),
				error("PRIORITY that depends on itself", PROTOCOL_ERROR,
						(peer) -> peer.frame(Http2FrameTypes.PRIORITY, 0, 1, new byte[] { 0, 0, 0, 1, 5 })));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("streamErrors")
	void endsTheStreamAlone(String name, int errorCode, Consumer<ScriptedPeer> frames) {
		this.service.behaves((call) -> call.method().endsWith("Unary") ? Behaviour.ECHO : Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			frames.accept(peer);
			peer.play();
			assertThat(peer.stream(1).resetCode).isEqualTo(errorCode);
			ServedCall call = this.service.onlyCall();
			assertThat(call.cancelled).isTrue();
			assertThat(call.call.isCancelled()).isTrue();
			assertThat(peer.oracle.goAways()).isEmpty();
			peer.servesACall(3);
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
		}
	}

	/**
	 * Case B13 (b).
	 */
	@Test
	void trailersOfTheClientAreItsHalfClose() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.data(1, ScriptedPeer.ABC)
				.lastHeaders(1, "x", "y")
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
			assertThat(this.service.onlyCall().events).containsExactly("start", "ready", "message:3", "halfClose",
					"complete");
			assertThat(this.service.onlyCall().metadata
				.containsKey(Metadata.Key.of("x", Metadata.ASCII_STRING_MARSHALLER))).isFalse();
		}
	}

	@Test
	void pingsAreEchoedByteForByte() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.ping(0x0102030405060708L).ping(-1).ping(Long.MIN_VALUE).play();
			assertThat(peer.oracle.pingAcks()).containsExactly(0x0102030405060708L, -1L, Long.MIN_VALUE);
		}
	}

	@Test
	void anAcknowledgementOfAPingThatNobodySentIsIgnored() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.pingAck(77).servesACall(1);
			assertThat(peer.oracle.pingAcks()).isEmpty();
		}
	}

	@Test
	void framesOfUnknownTypeFlagsAndSettingsAreIgnored() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.frame(0x77, 0xff, 0, new byte[100])
				.frame(0x78, 0, 9)
				.frame(Http2FrameTypes.SETTINGS, 0x10, 0)
				.frame(Http2FrameTypes.PRIORITY, 0, 9, new byte[] { 0, 0, 0, 3, 5 })
				.settingsAck();
			peer.oracle.sentSettings();
			peer.servesACall(1);
		}
	}

	/**
	 * RFC 9113 sections 4.1, 6.2 and 6.9: a reserved bit means nothing, and no more do
	 * the priority and the padding of HEADERS.
	 */
	@Test
	void reservedBitsPriorityAndPaddingChangeNothing() {
		byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary"));
		byte[] padded = RawHpack.concat(new byte[] { 3, (byte) 0x80, 0, 0, 9, 5 }, block, new byte[3]);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 0)) {
			peer.oracle.sentHeaders(1);
			peer.frame(Http2FrameTypes.HEADERS, 0x2c, 1 | Integer.MIN_VALUE, padded)
				.frame(Http2FrameTypes.DATA, FrameScript.END_STREAM, 1 | Integer.MIN_VALUE, ScriptedPeer.ABC);
			peer.play();
			peer.oracle.sentWindowUpdate(1, 100);
			peer.frame(Http2FrameTypes.WINDOW_UPDATE, 0, 1 | Integer.MIN_VALUE, (byte) 0x80, (byte) 0, (byte) 0,
					(byte) 100)
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
		}
	}

	/**
	 * RFC 9113 section 5.1.1.
	 */
	@Test
	void theLargestStreamIdIsServedAndTheLast() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.servesACall(1).servesACall(Integer.MAX_VALUE);
			peer.headers(3, ScriptedPeer.request("/t.Echo/Unary")).play();
			assertThat(peer.oracle.goAways()).singleElement()
				.satisfies((goAway) -> assertThat(goAway.lastStreamId()).isEqualTo(Integer.MAX_VALUE))
				.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(PROTOCOL_ERROR));
		}
	}

	@Test
	void aGoAwayOfTheClientLetsItsCallsFinish() {
		this.service.behaves((call) -> call.method().endsWith("Unary") ? Behaviour.ECHO : Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.frame(Http2FrameTypes.GO_AWAY, 0, 0, new byte[8])
				.lastData(1, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(1).status()).isZero();
		}
	}

	/**
	 * Case B39.
	 */
	@Test
	void streamsBeyondTheLimitAreRefusedAndTheirDataRefunded() {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(2, 1024 * 1024, 8192).accepted()) {
			peer.preface().settings();
			for (int id = 1; id <= 9; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi"));
			}
			for (int id = 5; id <= 9; id += 2) {
				peer.data(id, new byte[10_000]).lastData(id, new byte[20]);
			}
			peer.play();
			assertThat(this.service.calls).hasSize(2);
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(peer.stream(3).isReset()).isFalse();
			for (int id = 5; id <= 9; id += 2) {
				assertThat(peer.stream(id).resetCode).isEqualTo(REFUSED_STREAM);
			}
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.reset(1, 8).reset(3, 8).play();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(11);
		}
	}

	@Test
	void aRefusedStreamsHeadersEnterTheTableAllTheSame() {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(1, 65535, 8192).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.headers(3, 0, RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "x-late", "5")))
				.play();
			assertThat(peer.stream(3).resetCode).isEqualTo(REFUSED_STREAM);
			this.service.behaves(Behaviour.ECHO);
			peer.reset(1, 8)
				.headers(5, 0, RawHpack.indexed(68, 67, 66, 65, 64, 63, 62))
				.lastData(5, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(5).status()).isZero();
			assertThat(this.service.call(1).metadata.get(Metadata.Key.of("x-late", Metadata.ASCII_STRING_MARSHALLER)))
				.isEqualTo("5");
		}
	}

	@Test
	void theClientMaySendAsMuchAsItsWindowAndNotAByteMore() {
		this.service.behaves(Behaviour.SILENT);
		for (int beyond : new int[] { 0, 1 }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(10, 65535, 8192).connected()) {
				peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
					.message(1, ScriptedPeer.message(new byte[65535 - 5]))
					.play();
				assertThat(peer.stream(1).isReset()).isFalse();
				peer.data(1, new byte[beyond]).play();
				assertThat(peer.stream(1).isReset() ? peer.stream(1).resetCode : 0)
					.isEqualTo((beyond > 0) ? FLOW_CONTROL_ERROR : NO_ERROR);
				assertThat(peer.isLeft()).isFalse();
			}
		}
	}

	/**
	 * Case B31 (d): no window of the server is smaller than what a client may use before
	 * it knows the server's settings.
	 */
	@Test
	void theClientMayUseTheInitialWindowBeforeItKnowsTheSettings() {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(10, 65535, 8192).accepted()) {
			peer.preface().settings();
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi"))
				.message(1, ScriptedPeer.message(new byte[65535 - 5]))
				.play();
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(peer.oracle.goAways()).isEmpty();
			this.service.behaves(Behaviour.ECHO);
			peer.settingsAck().play().servesACall(3);
		}
	}

	@Test
	void theClientMaySendAsMuchAsTheConnectionsWindowAndNotAByteMore() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(10, 65535, 8192).connected()) {
			// in one read, so that nothing is refunded in between
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).headers(3, ScriptedPeer.request("/t.Echo/Bidi"));
			peer.message(1, ScriptedPeer.message(new byte[40_000])).message(3, new byte[65536 - 40_005]).play();
			assertThat(peer.oracle.goAways()).singleElement()
				.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(FLOW_CONTROL_ERROR));
		}
	}

}
