package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;

import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a connection begins (RFC 9113 section 3.4).
 */
class ConnectionPrefaceTests {

	private static final int PREFACE_LENGTH = 24;

	private static final int PROTOCOL_ERROR = 1;

	private final ScriptedService service = new ScriptedService();

	@Test
	void theServerSaysNothingBeforeThePreface() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.settle();
			assertThat(peer.oracle.bytesRead()).isZero();
		}
	}

	@Test
	void theServersPrefaceIsItsSettings() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(7, 100_000, 4321).accepted()) {
			peer.preface().play();
			assertThat(peer.oracle.frames()).startsWith("SETTINGS stream=0 flags=0 length=18");
			assertThat(peer.oracle.inboundWindow()).as("the connection's window is opened to its size")
				.isEqualTo(100_000);
		}
	}

	@Test
	void aWindowOfTheDefaultSizeNeedsNoUpdate() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(7, 65535, 4321).connected()) {
			assertThat(peer.oracle.frames()).containsExactly("SETTINGS stream=0 flags=0 length=18",
					"SETTINGS stream=0 flags=1 length=0");
		}
	}

	@Test
	void settingsAreAcknowledged() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			assertThat(peer.oracle.settingsAcks()).isOne();
			peer.settings().settings(0x4, 100).settings(0x99, 5).play();
			assertThat(peer.oracle.settingsAcks()).isEqualTo(4);
			peer.servesACall(1);
		}
	}

	@Test
	void aPrefaceByteByByteIsAPreface() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().settings().playInPieces(1);
			peer.settingsAck().servesACall(1);
		}
	}

	/**
	 * Case B42.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 9, 15, 16, 22, 23 })
	void aPrefaceWithOneWrongByteEndsTheConnectionWithoutAWord(int wrong) {
		byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		preface[wrong] ^= 0x20;
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.raw(preface).settings().play();
			assertThat(peer.isLeft()).isTrue();
			assertThat(peer.oracle.bytesRead()).isZero();
		}
	}

	/**
	 * Case B42.
	 */
	@Test
	void aPrefaceThatGoesWrongInAnotherReadEndsTheConnectionWithoutAWord() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().playCutAt(PREFACE_LENGTH - 1);
			assertThat(peer.isLeft()).isFalse();
		}
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.raw("PRI * HTTP/2.0\r\n".getBytes(StandardCharsets.US_ASCII)).play();
			assertThat(peer.isLeft()).isFalse();
			peer.raw("Host: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).play();
			assertThat(peer.isLeft()).isTrue();
			assertThat(peer.oracle.bytesRead()).isZero();
		}
	}

	/**
	 * Case B42.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
			"GET / HTTP/1.0\r\n\r\n", "GET /\r\n", "GET / HTTP/1.11\r\n", "get / HTTP/1.1\r\n\r\n",
			" / HTTP/1.1\r\n\r\n", "HELP\r\n", "EHLO a.example HTTP/1.2\r\n", "PRI * HTTP/2.1\r\n", "\r\n\r\n",
			"GET /\u00e9 HTTP/1.1\r\n", "GET /\u007f HTTP/1.1\r\n", "GET /\u001f HTTP/1.1\r\n",
			"ABCDEFGHIJKLMNOPQ / HTTP/1.1\r\n", "@ / HTTP/1.1\r\n", "[ / HTTP/1.1\r\n", "P\n" })
	void anotherProtocolEndsTheConnectionWithoutAWord(String bytes) {
		for (int length : new int[] { 1, 1000 }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
				peer.raw(bytes.getBytes(StandardCharsets.ISO_8859_1)).playInPieces(length);
				assertThat(peer.isConnected()).isFalse();
				assertThat(peer.oracle.bytesRead()).isZero();
				assertThat(peer.telemetry.guards).containsExactly(Guard.FOREIGN_PROTOCOL);
			}
		}
	}

	@Test
	void aLineWithoutAnEndIsNotReadForEver() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.raw("GET /".getBytes(StandardCharsets.US_ASCII)).play();
			peer.raw("a".repeat(8 * 1024 - "GET /".length()).getBytes(StandardCharsets.US_ASCII)).play();
			assertThat(peer.isConnected()).isTrue();
			peer.raw(new byte[] { 'a' }).play();
			assertThat(peer.isConnected()).isFalse();
		}
	}

	/**
	 * Case B42.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST /t.Echo/Unary HTTP/1.1\n\n",
			"PUT /a%20b?c HTTP/1.1\r\n\r\nabc", "OPTIONS * HTTP/1.1\r\n",
			// of a preface it has the beginning, and of a method the least or the most
			"P / HTTP/1.1\r\n\r\n", "PRI / HTTP/1.1\r\n\r\n", "AZABCDEFGHIJKLMN / HTTP/1.1\r\n\r\n",
			"GET / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n" })
	void http1IsToldWhatThePortSpeaks(String request) {
		for (int length : new int[] { 1, 1000 }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted().readsText()) {
				peer.raw(request.getBytes(StandardCharsets.US_ASCII)).playInPieces(length);
				String answer = peer.text.toString(StandardCharsets.US_ASCII);
				assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n").contains("\r\nConnection: close\r\n");
				String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
				assertThat(body).contains("HTTP/2").endsWith("\n");
				assertThat(answer).contains("\r\nContent-Length: " + body.length() + "\r\n");
				assertThat(peer.isLeft()).isTrue();
				assertThat(peer.isConnected()).as("what the client still sends does not spoil the answer").isTrue();
				assertThat(peer.telemetry.guards).containsExactly(Guard.FOREIGN_PROTOCOL);
				assertThat(peer.telemetry.bytesSent).isEqualTo(answer.length());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(bytes = { Http2FrameTypes.DATA, Http2FrameTypes.HEADERS, Http2FrameTypes.RST_STREAM,
			Http2FrameTypes.PING, Http2FrameTypes.GO_AWAY, Http2FrameTypes.WINDOW_UPDATE, 0x77 })
	void aFirstFrameThatIsNoSettingsIsAConnectionError(byte type) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().frame(type, 0, 0, new byte[8]).settings().play();
			assertThat(peer.oracle.goAways()).singleElement()
				.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(PROTOCOL_ERROR));
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void anAcknowledgementAsFirstFrameIsAConnectionError() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().settingsAck().play();
			assertThat(peer.oracle.goAways()).singleElement()
				.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(PROTOCOL_ERROR));
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void aCallInTheSameReadAsThePrefaceIsServed() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().settings().servesACall(1);
		}
	}

	@Test
	void aConnectionThatIsLostBeforeThePrefaceLeavesNothing() {
		for (int sent : new int[] { 0, 1, 23, 24, 25, 33 }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
				peer.preface().settings(0x4, 1);
				peer.playOnly(sent);
			}
		}
	}

}
