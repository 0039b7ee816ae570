package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls begun and reset by the client (CVE-2023-44487, case B34).
 */
class RapidResetTests {

	private static final int CANCEL = 8;

	private static final int CONCURRENT = 1000;

	private static final int RESETS = AbuseLimits.DEFAULT.resets();

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SINK);

	/**
	 * Case B34 a.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void twoThousandCallsResetAtOnceEndTheConnection(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			for (int i = 0; i < 2000; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi")).reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			assertTripped(peer, Guard.RAPID_RESET);
			assertThat(this.service.calls.size()).as("calls that were started")
				.isLessThanOrEqualTo(CONCURRENT + RESETS + 1);
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.isEnded()).isTrue());
		}
		this.service.verify();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsResetAfterTheirEndCountToo(boolean offLoop) {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected(offLoop)) {
			for (int i = 0; i < 2000 && !peer.isLeft(); i++) {
				peer.lastHeaders(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi")).play();
				peer.reset(1 + 2 * i, CANCEL).play();
			}
			assertTripped(peer, Guard.RAPID_RESET);
		}
	}

	/**
	 * Case B34 a, on a connection that was quiet for long.
	 */
	@Test
	void aConnectionThatWasQuietForLongHasNoMoreCreditThanANewOne() {
		try (ScriptedPeer peer = connected(false)) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).reset(1, CANCEL).play();
			peer.loop.advance(1, TimeUnit.HOURS);
			for (int i = 1; i <= CONCURRENT + RESETS + 1; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi")).reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			assertTripped(peer, Guard.RAPID_RESET);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aFullSetOfCallsCancelledAtOnceAndTwoHundredMoreAreAllowed(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			for (int i = 0; i < CONCURRENT; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi"));
			}
			peer.play();
			for (int i = 0; i < CONCURRENT; i++) {
				peer.reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			for (int i = CONCURRENT; i < CONCURRENT + RESETS; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi")).reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, 1 + 2 * (CONCURRENT + RESETS));
			peer.reset(1, CANCEL).play();
			assertTripped(peer, Guard.RAPID_RESET);
		}
	}

	/**
	 * Case B34 b: bun counted resets for the whole life of a connection.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void threeCancelsASecondForAnHourAreAllowed(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			int streamId = 1;
			for (int second = 0; second < 3600; second++) {
				for (int i = 0; i < 3; i++) {
					peer.headers(streamId, ScriptedPeer.request("/t.Echo/Bidi")).play();
					peer.reset(streamId, CANCEL).play();
					streamId += 2;
				}
				peer.loop.advance(1, TimeUnit.SECONDS);
			}
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, streamId);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aThousandDeadlinesThatExpireTogetherAreAllowed(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			for (int i = 0; i < CONCURRENT; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi", "grpc-timeout", "1S"));
			}
			peer.play();
			for (int turn = 0; turn < 200; turn++) {
				peer.loop.advance(10, TimeUnit.MILLISECONDS);
				peer.settle();
			}
			assertThat(peer.telemetry.resetsSent).as("resets of the server, whose clock is as good")
				.isEqualTo(CONCURRENT);
			for (int i = 0; i < CONCURRENT; i++) {
				peer.reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, 1 + 2 * CONCURRENT);
		}
	}

	@Test
	void theLimitCanBeSet() {
		AbuseLimits limits = new AbuseLimits(TimeUnit.SECONDS.toNanos(1), 3, 200, 1000, 120_000, 100, 1000, 16);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(2, 65535, 8192).abuse(limits).connected()) {
			for (int i = 0; i < 5; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi")).reset(1 + 2 * i, CANCEL);
			}
			peer.play();
			assertThat(peer.telemetry.guards).isEmpty();
			peer.headers(11, ScriptedPeer.request("/t.Echo/Bidi")).reset(11, CANCEL).play();
			assertTripped(peer, Guard.RAPID_RESET);
		}
	}

	private ScriptedPeer connected(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service).limits(CONCURRENT, 1024 * 1024, 8192);
		return (offLoop ? server.runsOffLoop() : server).connected();
	}

}
