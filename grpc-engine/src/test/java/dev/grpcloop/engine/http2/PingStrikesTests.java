package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a peer may ping (gRPC A8, case B40 a to d).
 */
class PingStrikesTests {

	private static final int ENHANCE_YOUR_CALM = 11;

	private final ScriptedService service = new ScriptedService();

	@Test
	void withoutACallThreePingsSurviveAndTheFourthDoesNot() {
		try (ScriptedPeer peer = connected(300, false)) {
			peer.ping(0x0102030405060708L).ping(-1).ping(Long.MIN_VALUE).play();
			assertThat(peer.oracle.pingAcks()).containsExactly(0x0102030405060708L, -1L, Long.MIN_VALUE);
			peer.servesACall(1);
		}
		try (ScriptedPeer peer = connected(300, false)) {
			peer.ping(1).ping(2).ping(3).ping(4).ping(5).play();
			assertThat(peer.oracle.pingAcks()).containsExactly(1L, 2L, 3L);
			assertTooMany(peer);
		}
	}

	@Test
	void withoutACallOnePingInTwoHoursIsGood() {
		try (ScriptedPeer peer = connected(300, false)) {
			for (int i = 0; i < 10; i++) {
				peer.ping(i).play();
				peer.loop.advance(2, TimeUnit.HOURS);
			}
			peer.ping(10).play();
			// the last good one was at the very time; these are bad
			peer.loop.advance(119, TimeUnit.MINUTES);
			peer.ping(11).ping(12).play();
			assertThat(peer.oracle.pingAcks()).hasSize(13);
			peer.ping(13).play();
			assertTooMany(peer);
		}
	}

	@Test
	void withACallThePermitCounts() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(300, false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			for (int i = 0; i < 10; i++) {
				peer.ping(i).play();
				peer.loop.advance(300, TimeUnit.SECONDS);
			}
			peer.ping(10).ping(11).ping(12).ping(13).play();
			assertThat(peer.oracle.pingAcks()).hasSize(13);
			assertTooMany(peer);
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNAVAILABLE);
		}
	}

	@Test
	void badPingsDoNotPutOffTheNextGoodOne() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(300, false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).ping(0).play();
			peer.loop.advance(200, TimeUnit.SECONDS);
			peer.ping(1).play();
			peer.loop.advance(100, TimeUnit.SECONDS);
			peer.ping(2).ping(3).play();
			assertThat(peer.oracle.pingAcks()).hasSize(4);
			assertThat(peer.isLeft()).isFalse();
			// a good one does not forgive those before it
			peer.ping(4).play();
			assertTooMany(peer);
		}
	}

	@Test
	void thePermitMayHoldWithoutCallsToo() {
		try (ScriptedPeer peer = connected(10, true)) {
			for (int i = 0; i < 10; i++) {
				peer.ping(i).play();
				peer.loop.advance(10, TimeUnit.SECONDS);
			}
			assertThat(peer.oracle.pingAcks()).hasSize(10);
			peer.servesACall(1);
		}
	}

	@Test
	void aPermitOfNothingAllowsAnyNumberWhileThereIsACall() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(0, false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"));
			for (int i = 0; i < 1000; i++) {
				peer.ping(i);
			}
			peer.play();
			assertThat(peer.oracle.pingAcks()).hasSize(1000);
			peer.reset(1, 8).ping(1).ping(2).ping(3).play();
			assertTooMany(peer);
		}
	}

	@Test
	void noPermitIsLongerThanThatWithoutACall() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(TimeUnit.DAYS.toSeconds(1), true)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			for (int i = 0; i < 10; i++) {
				peer.ping(i).play();
				peer.loop.advance(2, TimeUnit.HOURS);
			}
			assertThat(peer.oracle.pingAcks()).hasSize(10);
		}
	}

	/**
	 * Case B40 (c).
	 */
	@Test
	void whatTheServerSendsClearsThem() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected(300, false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			for (int i = 0; i < 10; i++) {
				peer.ping(1).ping(2).ping(3).play();
				peer.data(1, ScriptedPeer.ABC).play();
			}
			assertThat(peer.oracle.pingAcks()).hasSize(30);
			for (int id = 3; id < 13; id += 2) {
				// a single HEADERS frame
				peer.lastHeaders(id, ScriptedPeer.request("/t.None/None")).play();
				peer.ping(1).ping(2).ping(3).play();
			}
			assertThat(peer.oracle.pingAcks()).hasSize(45);
			peer.ping(4).play();
			assertTooMany(peer);
		}
	}

	@Test
	void otherFramesOfTheServerDoNot() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected(300, false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.ping(1).ping(2).ping(3).play();
			peer.settings().headers(3, "x", "y").play();
			assertThat(peer.stream(3).isReset()).isTrue();
			peer.ping(4).play();
			assertTooMany(peer);
		}
	}

	/**
	 * Case B40 (d).
	 */
	@Test
	void acknowledgementsDoNotCount() {
		try (ScriptedPeer peer = connected(300, false)) {
			for (int i = 0; i < 100; i++) {
				peer.pingAck(i);
			}
			peer.play();
			peer.servesACall(1);
		}
	}

	private ScriptedPeer connected(long permitSeconds, boolean withoutCalls) {
		return ScriptedPeer.of(this.service).life(Life.that().permits(permitSeconds, withoutCalls).build()).connected();
	}

	private static void assertTooMany(ScriptedPeer peer) {
		assertThat(peer.oracle.goAways()).singleElement().satisfies((goAway) -> {
			assertThat(goAway.errorCode()).isEqualTo(ENHANCE_YOUR_CALM);
			assertThat(goAway.debugData()).isEqualTo("too_many_pings");
		});
		assertThat(peer.isLeft()).isTrue();
		assertThat(peer.telemetry.guards).containsExactly(Guard.TOO_MANY_PINGS);
	}

}
