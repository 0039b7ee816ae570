package dev.grpcloop.engine.http2;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.http2.WireOracle.GoAway;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections that are idle for too long, or have become too old (gRPC A9).
 */
class ConnectionRetirementTests {

	private static final int CANCEL = 8;

	private static final long ANY_STREAM = Integer.MAX_VALUE;

	private final ScriptedService service = new ScriptedService();

	@Test
	void aConnectionThatNeverHadACallIsIdleFromItsHandshakeOn() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().idles(100).build()).accepted()) {
			peer.loop.advance(50, TimeUnit.SECONDS);
			peer.connects();
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.goAways()).isEmpty();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertGoesInTwoSteps(peer.settle(), "max_idle", 0);
			assertThat(peer.loop.hasTimers()).as("all that is left is to wait for the client's end").isTrue();
		}
	}

	@Test
	void aCallEndsTheIdleTimeAndBeginsItAnew() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().idles(100).build()).connected()) {
			peer.loop.advance(90, TimeUnit.SECONDS);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.advance(1000, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.goAways()).isEmpty();
			peer.loop.enter(() -> this.service.onlyCall().close(Status.OK));
			peer.settle();
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.goAways()).isEmpty();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertGoesInTwoSteps(peer.settle(), "max_idle", 1);
		}
	}

	@Test
	void aConnectionThatIsBusyNowAndThenIsNotIdle() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().idles(100).build()).connected()) {
			for (int id = 1; id < 100; id += 2) {
				peer.loop.advance(99, TimeUnit.SECONDS);
				peer.servesACall(id);
			}
			assertThat(peer.oracle.goAways()).isEmpty();
		}
	}

	@Test
	void pingsAreNoCalls() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service)
			.life(Life.that().idles(100).permits(0, true).build())
			.connected()) {
			for (int i = 0; i < 10; i++) {
				peer.loop.advance(10, TimeUnit.SECONDS);
				peer.ping(i).play();
			}
			assertGoesInTwoSteps(peer, "max_idle", 0);
		}
	}

	@Test
	void aCallThatComesAsTheConnectionIsFoundIdleIsServed() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().idles(100).build()).connected()) {
			peer.loop.advance(100, TimeUnit.SECONDS);
			peer.servesACall(1);
			assertGoesInTwoSteps(peer, "max_idle", 1);
		}
	}

	@Test
	void anOldConnectionGoesWithinATenthOfItsAge() {
		for (int i = 0; i < 20; i++) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().ages(1000).build()).connected()) {
				peer.loop.advance(899, TimeUnit.SECONDS);
				peer.servesACall(1);
				peer.loop.advance(201, TimeUnit.SECONDS);
				assertGoesInTwoSteps(peer.settle(), "max_age", 1);
			}
		}
	}

	@Test
	void connectionsOfOneMomentDoNotAllGoAtOnce() {
		Set<Integer> ages = new HashSet<>();
		for (int i = 0; i < 5; i++) {
			try (ScriptedPeer peer = aged(1000, 60)) {
				ages.add(becomesOld(peer));
			}
		}
		assertThat(ages).hasSizeGreaterThan(1);
	}

	@Test
	void theAgeCountsFromTheHandshake() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().ages(1000).build()).accepted()) {
			peer.loop.advance(5000, TimeUnit.SECONDS);
			peer.connects();
			peer.loop.advance(899, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.goAways()).isEmpty();
			peer.loop.advance(201, TimeUnit.SECONDS);
			assertGoesInTwoSteps(peer.settle(), "max_age", 0);
		}
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.25, 0.5, 0.75, 0.999 })
	void theAgeIsDrawnFromNineToElevenTenths(double random) {
		assertThat(AgeLimit.jittered(1000, random)).isEqualTo(900 + (long) (200 * random));
		assertThat(AgeLimit.jittered(ConnectionLife.NEVER, random)).isEqualTo(ConnectionLife.NEVER);
		assertThat(AgeLimit.jittered(ConnectionLife.NEVER - 1, random)).isPositive();
	}

	@Test
	void endlessCallsHaveTheGraceAndNoMore() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = aged(1000, 60)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.lastHeaders(3, ScriptedPeer.request("/t.Echo/ServerStream"))
				.play();
			peer.loop.enter(() -> this.service.call(1).send(new byte[10]));
			becomesOld(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			peer.loop.advance(59, TimeUnit.SECONDS);
			assertThat(peer.settle().isLeft()).isFalse();
			assertThat(this.service.call(0).cancelled).isFalse();
			peer.loop.enter(() -> this.service.call(1).send(new byte[10]));
			peer.settle();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().isLeft()).isTrue();
			assertThat(peer.stream(3).messages()).hasSize(2);
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.cancelled).isTrue());
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNAVAILABLE, Status.Code.UNAVAILABLE);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 3L);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	@Test
	void theGraceMayBeShorterThanTheTimeForThePing() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = aged(1000, 1)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			becomesOld(peer);
			peer.headers(3, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().isLeft()).isTrue();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 3L);
			assertThat(this.service.calls).hasSize(2).allSatisfy((call) -> assertThat(call.cancelled).isTrue());
		}
	}

	@Test
	void noGraceEndsTheCallsAtOnce() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = aged(1000, 0)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			becomesOld(peer);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.isLeft()).isTrue();
			assertThat(this.service.onlyCall().cancelled).isTrue();
		}
	}

	@Test
	void callsThatEndWithinTheGraceEndTheConnection() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = aged(1000, 60)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			becomesOld(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			peer.loop.enter(() -> this.service.onlyCall().close(Status.OK));
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.isLeft()).isTrue();
			peer.loop.advance(60, TimeUnit.SECONDS);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
		}
	}

	@Test
	void withoutAGraceLimitCallsGoOnAsLongAsTheyLike() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().ages(1000).build()).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			becomesOld(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			peer.loop.advance(365, TimeUnit.DAYS);
			assertThat(peer.settle().isLeft()).isFalse();
			peer.reset(1, CANCEL).play();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void aConnectionThatIsLostIsNoLongerLookedAfter() {
		ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().ages(10, 10).idles(10).build()).connected();
		peer.close();
		assertThat(peer.loop.hasTimers()).isFalse();
		peer = ScriptedPeer.of(this.service).life(Life.that().ages(10, 10).build()).connected();
		becomesOld(peer);
		peer.close();
		assertThat(peer.loop.hasTimers()).isFalse();
	}

	private ScriptedPeer aged(long seconds, long graceSeconds) {
		return ScriptedPeer.of(this.service).life(Life.that().ages(seconds, graceSeconds).build()).connected();
	}

	/**
	 * The age is drawn, so the clock moves in small steps.
	 * @return how many
	 */
	private static int becomesOld(ScriptedPeer peer) {
		int steps = 0;
		while (peer.oracle.goAways().isEmpty() && steps++ < 2500) {
			peer.loop.advance(500, TimeUnit.MILLISECONDS);
			peer.settle();
		}
		assertThat(peer.oracle.goAways()).isNotEmpty();
		return steps;
	}

	private static void assertGoesInTwoSteps(ScriptedPeer peer, String reason, long lastStream) {
		assertThat(lastStreams(peer)).containsExactly(ANY_STREAM);
		assertThat(peer.isLeft()).isFalse();
		peer.pingAck(peer.oracle.pings().get(0)).play();
		assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, lastStream);
		assertThat(peer.oracle.goAways()).extracting(GoAway::debugData).containsOnly(reason);
		assertThat(peer.oracle.goAways()).extracting(GoAway::errorCode).containsOnly(0L);
		assertThat(peer.isLeft()).isTrue();
		assertThat(peer.telemetry.guards).isEmpty();
	}

	private static List<Long> lastStreams(ScriptedPeer peer) {
		return peer.oracle.goAways().stream().map((goAway) -> (long) goAway.lastStreamId()).toList();
	}

}
