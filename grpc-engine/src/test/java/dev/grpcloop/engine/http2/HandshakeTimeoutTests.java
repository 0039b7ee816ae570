package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that connect and do not begin (RFC 9113 sections 3.4 and 6.5.3, case B42).
 */
class HandshakeTimeoutTests {

	private static final int SETTINGS_TIMEOUT = 4;

	private final ScriptedService service = new ScriptedService();

	@ParameterizedTest
	@ValueSource(strings = { "", "P", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r", "GET / HT" })
	void withoutAPrefaceTheConnectionIsClosedWithoutAWord(String sent) {
		try (ScriptedPeer peer = accepted()) {
			peer.raw(sent.getBytes(StandardCharsets.US_ASCII)).play();
			peer.loop.advance(19, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isFalse();
			assertThat(peer.oracle.bytesRead()).isZero();
			assertThat(peer.telemetry.guards).containsExactly(Guard.HANDSHAKE_TIMEOUT);
			assertThat(peer.loop.hasTimers()).isFalse();
		}
	}

	@Test
	void aPrefaceThatDribblesHasNoMoreTime() {
		try (ScriptedPeer peer = accepted()) {
			peer.preface();
			byte[] preface = peer.takeScript();
			for (int i = 0; i < 20; i++) {
				assertThat(peer.isConnected()).isTrue();
				peer.raw(new byte[] { preface[i] }).play();
				peer.loop.advance(1, TimeUnit.SECONDS);
			}
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void withoutSettingsTheClientIsToldSo() {
		try (ScriptedPeer peer = accepted()) {
			peer.preface().play();
			assertTimesOut(peer, 20);
		}
	}

	@Test
	void withoutTheAcknowledgementOfTheServersSettingsTheClientIsToldSo() {
		try (ScriptedPeer peer = accepted()) {
			peer.preface().settings().play();
			peer.settings().ping(1).play();
			assertTimesOut(peer, 20);
		}
	}

	/**
	 * Case B39: until then the connection works.
	 */
	@Test
	void callsAreServedBeforeTheAcknowledgementAndEndWithTheConnection() {
		try (ScriptedPeer peer = accepted()) {
			peer.preface().settings().servesACall(1);
			peer.loop.advance(19, TimeUnit.SECONDS);
			peer.servesACall(3);
			this.service.behaves(Behaviour.SINK);
			peer.headers(5, ScriptedPeer.request("/t.Echo/Bidi")).play();
			assertTimesOut(peer, 1);
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.OK, Status.Code.OK,
					Status.Code.UNAVAILABLE);
		}
	}

	@Test
	void theAcknowledgementEndsTheWaiting() {
		try (ScriptedPeer peer = accepted()) {
			peer.connects();
			assertThat(peer.loop.hasTimers()).isFalse();
			peer.loop.advance(1, TimeUnit.DAYS);
			peer.servesACall(1);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	@Test
	void anAcknowledgementOfNothingMeansNothing() {
		try (ScriptedPeer peer = accepted()) {
			peer.connects();
			peer.settingsAck().settingsAck().play();
			peer.servesACall(1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aConnectionThatIsLostIsNotWaitedFor(boolean withPreface) {
		ScriptedPeer peer = accepted();
		if (withPreface) {
			peer.preface().settings().play();
		}
		peer.close();
		assertThat(peer.loop.hasTimers()).isFalse();
		assertThat(peer.telemetry.guards).isEmpty();
	}

	@Test
	void aConnectionThatEndsForAnotherReasonIsNoGuardsDoing() {
		ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().shakesHandsWithin(1).build()).accepted();
		try (peer) {
			peer.preface().settings().illegalWindowUpdate(0, 0).play();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isFalse();
			assertThat(peer.telemetry.guards).isEmpty();
			assertThat(peer.oracle.goAways()).hasSize(1);
		}
	}

	@Test
	void aLifeWithoutLimitsHasNoTimers() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().build()).accepted()) {
			assertThat(peer.loop.hasTimers()).isFalse();
			peer.preface().settings().playOnly(28);
			assertThat(peer.loop.hasTimers()).as("within a frame").isFalse();
			peer.play();
			assertThat(peer.loop.hasTimers()).as("before the acknowledgement").isFalse();
			peer.settingsAck().headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.reset(1, 8).play();
			assertThat(peer.loop.hasTimers()).as("after a call").isFalse();
			peer.oracle.sentHeaders(3);
			peer.frame(Http2FrameTypes.HEADERS, 0, 3, RawHpack.block("a", "b")).play();
			assertThat(peer.loop.hasTimers()).as("within a header block").isFalse();
		}
	}

	private ScriptedPeer accepted() {
		return ScriptedPeer.of(this.service)
			.life(Life.that().shakesHandsWithin(20).permits(0, true).build())
			.accepted();
	}

	private static void assertTimesOut(ScriptedPeer peer, int seconds) {
		peer.loop.advance(TimeUnit.SECONDS.toMillis(seconds) - 500, TimeUnit.MILLISECONDS);
		assertThat(peer.settle().oracle.goAways()).isEmpty();
		peer.loop.advance(500, TimeUnit.MILLISECONDS);
		assertThat(peer.settle().oracle.goAways()).singleElement()
			.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(SETTINGS_TIMEOUT));
		assertThat(peer.isLeft()).isTrue();
		assertThat(peer.telemetry.guards).containsExactly(Guard.HANDSHAKE_TIMEOUT);
	}

}
