package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that begin a header block or a frame and do not complete it (case B36 f).
 */
class HeadersTimeoutTests {

	private static final int ENHANCE_YOUR_CALM = 11;

	private static final byte[] BLOCK = RawHpack.block(ScriptedPeer.request("/t.Echo/Unary"));

	private final ScriptedService service = new ScriptedService();

	@Test
	void aHeaderBlockHasATime() {
		try (ScriptedPeer peer = connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1, BLOCK).play();
			assertTimesOut(peer, 30);
		}
	}

	@Test
	void continuationsDoNotProlongABlocksTime() {
		try (ScriptedPeer peer = connected()) {
			peer.frame(Http2FrameTypes.HEADERS, 0, 1, BLOCK).play();
			for (int i = 0; i < 4; i++) {
				peer.loop.advance(6, TimeUnit.SECONDS);
				peer.frame(Http2FrameTypes.CONTINUATION, 0, 1, (byte) 0x40, (byte) 1, (byte) 'a', (byte) 1, (byte) 'b')
					.play();
			}
			assertTimesOut(peer, 6);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8, 9, 10, 40 })
	void aFrameHasATime(int begun) {
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, 0, BLOCK).playOnly(begun);
			assertTimesOut(peer, 30);
			peer.takeScript();
		}
	}

	@Test
	void bytesDoNotProlongAFramesTime() {
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, new byte[100]);
			int length = peer.scriptLength();
			peer.playOnly(length - 50);
			for (int i = 0; i < 4; i++) {
				peer.loop.advance(6, TimeUnit.SECONDS);
				peer.playOnly(1);
			}
			assertTimesOut(peer, 6);
			peer.takeScript();
		}
	}

	@Test
	void eachFrameOfALongUploadHasItsOwnTime() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			for (int i = 0; i < 20; i++) {
				peer.data(1, ScriptedPeer.ABC);
			}
			int frame = 9 + ScriptedPeer.ABC.length;
			for (int i = 0; i < 19; i++) {
				// there is never a moment without a frame that has come in part
				peer.playOnly((i == 0) ? frame + 3 : frame);
				peer.loop.advance(29, TimeUnit.SECONDS);
			}
			peer.play();
			assertThat(peer.stream(1).messages()).hasSize(20);
			peer.lastData(1).play();
			assertThat(peer.stream(1).status()).isZero();
			peer.loop.advance(1, TimeUnit.HOURS);
			assertThat(peer.isLeft()).isFalse();
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	@Test
	void eachHeaderBlockHasItsOwnTime() {
		try (ScriptedPeer peer = connected()) {
			peer.frame(Http2FrameTypes.HEADERS, FrameScript.END_STREAM, 1, BLOCK).play();
			peer.oracle.sentHeaders(1);
			for (int id = 3; id < 20; id += 2) {
				peer.loop.advance(29, TimeUnit.SECONDS);
				// one read ends a block, and has the beginning and more of the next
				peer.frame(Http2FrameTypes.CONTINUATION, FrameScript.END_HEADERS, id - 2)
					.frame(Http2FrameTypes.HEADERS, FrameScript.END_STREAM, id, BLOCK)
					.frame(Http2FrameTypes.CONTINUATION, 0, id)
					.play();
				peer.oracle.sentHeaders(id);
			}
			assertThat(this.service.calls).hasSize(9);
			assertThat(peer.isLeft()).isFalse();
			assertTimesOut(peer, 30);
		}
	}

	@Test
	void whatWasCompletedInTimeIsNotWaitedFor() {
		try (ScriptedPeer peer = connected()) {
			peer.fragmentedHeaders(1, 0, BLOCK, 10).lastData(1, ScriptedPeer.ABC);
			peer.playOnly(9 + 10);
			peer.loop.advance(29, TimeUnit.SECONDS);
			peer.playOnly(5);
			peer.loop.advance(500, TimeUnit.MILLISECONDS);
			peer.play();
			assertThat(peer.stream(1).status()).isZero();
			peer.loop.advance(1, TimeUnit.HOURS);
			assertThat(peer.loop.hasTimers()).isFalse();
			peer.servesACall(3);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	@Test
	void aBlockThatIsNoGoodIsCompleteToo() {
		try (ScriptedPeer peer = connected()) {
			peer.oracle.sentHeaders(1);
			peer.frame(Http2FrameTypes.HEADERS, 0, 1, RawHpack.block("X-Upper", "a")).play();
			peer.frame(Http2FrameTypes.CONTINUATION, FrameScript.END_HEADERS, 1).play();
			assertThat(peer.stream(1).isReset()).isTrue();
			peer.loop.advance(1, TimeUnit.HOURS);
			peer.servesACall(3);
		}
	}

	@Test
	void aConnectionThatIsLostIsNotWaitedFor() {
		ScriptedPeer peer = connected();
		peer.frame(Http2FrameTypes.HEADERS, 0, 1, BLOCK).play();
		peer.close();
		assertThat(peer.loop.hasTimers()).isFalse();
		assertThat(peer.telemetry.guards).isEmpty();
	}

	private ScriptedPeer connected() {
		return ScriptedPeer.of(this.service).life(Life.that().completesWithin(30).build()).connected();
	}

	private static void assertTimesOut(ScriptedPeer peer, int seconds) {
		peer.loop.advance(TimeUnit.SECONDS.toMillis(seconds) - 500, TimeUnit.MILLISECONDS);
		assertThat(peer.settle().oracle.goAways()).isEmpty();
		peer.loop.advance(500, TimeUnit.MILLISECONDS);
		assertThat(peer.settle().oracle.goAways()).singleElement()
			.satisfies((goAway) -> assertThat(goAway.errorCode()).isEqualTo(ENHANCE_YOUR_CALM));
		assertThat(peer.isLeft()).isTrue();
		assertThat(peer.telemetry.guards).containsExactly(Guard.HEADERS_TIMEOUT);
	}

}
