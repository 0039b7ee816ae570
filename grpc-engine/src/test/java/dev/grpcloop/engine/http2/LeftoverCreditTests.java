package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * DATA for streams that the server has ended: what the client could send before it knew
 * is dropped and its credit returned, and more is a fault of the connection.
 */
class LeftoverCreditTests {

	private static final int STREAM_CLOSED = 5;

	private static final int WINDOW = 65535;

	private static final int FRAME = 16384;

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SINK);

	@Test
	void whatIsLeftOfTheWindowOfAnEndedStreamMayStillCome() {
		try (ScriptedPeer peer = connected(10)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, new byte[1000]).play();
			this.service.call(0).call.close(Status.OK, this.service.call(0).trailers);
			peer.settle();
			dribble(peer, 1, WINDOW - 1000);
			assertThat(peer.isLeft()).isFalse();
			peer.data(1, new byte[1]).play();
			assertIsCutOff(peer);
		}
	}

	@Test
	void theWindowOfAStreamThatWasRefusedMayStillCome() {
		try (ScriptedPeer peer = connected(1)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.headers(3, ScriptedPeer.request("/t.Echo/Bidi")).headers(5, "x", "y").play();
			dribble(peer, 3, WINDOW);
			dribble(peer, 5, WINDOW);
			assertThat(peer.isLeft()).isFalse();
			peer.data(3, new byte[1]).play();
			assertIsCutOff(peer);
		}
	}

	@Test
	void theWindowOfAStreamBeyondTheLastOneMayStillCome() {
		try (ScriptedPeer peer = connected(10)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.connection().shutdown();
			peer.settle();
			peer.pingAck(peer.oracle.pings().get(0)).play();
			peer.headers(3, ScriptedPeer.request("/t.Echo/Bidi")).play();
			dribble(peer, 3, WINDOW);
			assertThat(peer.isLeft()).isFalse();
			peer.data(3, new byte[1]).play();
			assertIsCutOff(peer);
		}
	}

	@Test
	void aStreamThatTheClientHasEndedLeavesNothing() {
		try (ScriptedPeer peer = connected(100)) {
			for (int id = 1; id < 81; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi")).reset(id, 8).play();
			}
			// so long ago that its end is no longer remembered
			peer.data(1, new byte[1]).play();
			assertIsCutOff(peer);
		}
	}

	private ScriptedPeer connected(int maxConcurrentStreams) {
		return ScriptedPeer.of(this.service).limits(maxConcurrentStreams, WINDOW, 8192).connected();
	}

	private static void dribble(ScriptedPeer peer, int streamId, int bytes) {
		for (int left = bytes; left > 0; left -= FRAME) {
			peer.data(streamId, new byte[Math.min(FRAME, left)]).play();
		}
	}

	private static void assertIsCutOff(ScriptedPeer peer) {
		assertThat(peer.oracle.goAways()).last().satisfies((goAway) -> {
			assertThat(goAway.errorCode()).isEqualTo(STREAM_CLOSED);
			assertThat(goAway.debugData()).contains("streams that have ended");
		});
		assertThat(peer.isLeft()).isTrue();
	}

}
