package dev.grpcloop.engine.http2;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.http2.WireOracle.GoAway;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a connection ends, with its calls finished or cancelled (RFC 9113 section 6.8).
 */
class ConnectionCloseTests {

	private static final int NO_ERROR = 0;

	private static final int CANCEL = 8;

	private static final long ANY_STREAM = Integer.MAX_VALUE;

	private final ScriptedService service = new ScriptedService();

	@Test
	void shutdownAnnouncesTheEndAndAsksForAPing() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.servesACall(1);
			shutdown(peer);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM);
			assertThat(peer.oracle.goAways()).extracting(GoAway::errorCode).containsOnly((long) NO_ERROR);
			assertThat(peer.oracle.pings()).hasSize(1);
			assertThat(peer.isLeft()).isFalse();
		}
	}

	@Test
	void callsThatWereOnTheirWayAreServedAndTheAnsweredPingEndsIt() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.servesACall(1);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void anAcknowledgementOfAnotherPingDoesNotEndIt() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0) + 1).play();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM);
			assertThat(peer.isLeft()).isFalse();
		}
	}

	@Test
	void aClientThatDoesNotAnswerThePingHasTenSeconds() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.loop.advance(9999, TimeUnit.MILLISECONDS);
			peer.servesACall(1);
			peer.loop.advance(1, TimeUnit.MILLISECONDS);
			peer.settle();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void theConnectionStaysUntilItsLastCallHasEnded() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).headers(3, ScriptedPeer.request("/t.Echo/Bidi"));
			peer.play();
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 3L);
			peer.lastData(1, ScriptedPeer.ABC).play();
			peer.loop.enter(() -> this.service.call(0).close(Status.OK));
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.isLeft()).isFalse();
			peer.loop.enter(() -> {
				this.service.call(1).send(new byte[10]);
				this.service.call(1).close(Status.OK);
			});
			peer.settle();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(peer.stream(3).messages()).hasSize(1);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void theLastCallMayEndByAReset() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(peer.isLeft()).isFalse();
			peer.reset(1, CANCEL).play();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void streamsBeyondTheLastOneAreIgnoredWithTheirData() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			peer.headers(3, 0, RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Bidi")))
				.data(3, new byte[1000])
				.windowUpdate(3, 5)
				.reset(3, CANCEL)
				.headers(5, "X-Malformed", "")
				.lastData(5, new byte[1000])
				.play();
			assertThat(this.service.calls).hasSize(1);
			assertThat(peer.stream(3).isReset()).isFalse();
			assertThat(peer.stream(5).isReset()).isFalse();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.reset(1, CANCEL).play();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void twoShutdownsAreOne() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			shutdown(peer);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.oracle.pings()).hasSize(1);
		}
	}

	@Test
	void shutdownNowCancelsAllCallsAndTellsTheirClients() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.lastHeaders(3, ScriptedPeer.request("/t.Echo/ServerStream"))
				.play();
			peer.loop.leave(peer.connection()::shutdownNow);
			peer.settle();
			assertThat(peer.stream(1).resetCode).isEqualTo(CANCEL);
			assertThat(peer.stream(3).resetCode).isEqualTo(CANCEL);
			assertThat(lastStreams(peer)).containsExactly(3L);
			assertThat(this.service.calls).allSatisfy((call) -> assertThat(call.cancelled).isTrue());
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNAVAILABLE, Status.Code.UNAVAILABLE);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void shutdownNowDoesNotWaitForAShutdown() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			peer.loop.leave(peer.connection()::shutdownNow);
			peer.settle();
			assertThat(peer.stream(1).resetCode).isEqualTo(CANCEL);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aShutdownNowBeforeThePrefaceClosesTheConnectionWithoutAWord() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().playOnly(5);
			peer.loop.leave(peer.connection()::shutdownNow);
			peer.settle();
			assertThat(peer.isConnected()).isFalse();
			assertThat(peer.oracle.bytesRead()).isZero();
		}
	}

	@Test
	void aShutdownBeforeThePrefaceWaitsASecondForIt() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.preface().playOnly(5);
			shutdown(peer);
			peer.loop.advance(999, TimeUnit.MILLISECONDS);
			assertThat(peer.settle().isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.MILLISECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.oracle.bytesRead()).isZero();
		}
	}

	@Test
	void aShutdownBeforeThePrefaceLosesNoCall() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			shutdown(peer);
			shutdown(peer);
			peer.preface().settings().settingsAck().servesACall(1);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void aShutdownOfAConnectionThatIsGoneChangesNothing() {
		ScriptedPeer peer = ScriptedPeer.of(this.service).connected();
		peer.close();
		peer.loop.leave(peer.connection()::shutdown);
		peer.loop.leave(peer.connection()::shutdownNow);
		peer.settle();
		assertThat(peer.connectionsClosed()).isOne();
		assertThat(peer.channel.allocatedBytes()).isZero();
	}

	@Test
	void theServerEndsItsOutputAndReadsOnForASecond() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.illegalWindowUpdate(0, 0).play();
			assertThat(peer.channel.isOutputShutdown()).isTrue();
			assertThat(peer.isConnected()).isTrue();
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, ScriptedPeer.ABC).play();
			assertThat(this.service.calls).isEmpty();
			peer.loop.advance(999, TimeUnit.MILLISECONDS);
			assertThat(peer.isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.MILLISECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aClientThatDoesNotReadIsWaitedForFiveSeconds() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.channel.socketTakes(3);
			peer.illegalWindowUpdate(0, 0).play();
			assertThat(peer.channel.isOutputShutdown()).isFalse();
			peer.loop.advance(4999, TimeUnit.MILLISECONDS);
			assertThat(peer.isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.MILLISECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void answersThatWaitForTheSocketAreOutBeforeTheEnd() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.channel.socketTakes(5);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(1, ScriptedPeer.ABC)
				.pingAck(peer.oracle.pings().get(0))
				.play();
			assertThat(peer.isLeft()).isFalse();
			peer.channel.socketTakes(Long.MAX_VALUE);
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void aClientThatReadsSlowlyGetsItsAnswers() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.channel.socketTakes(0);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(1, ScriptedPeer.ABC)
				.pingAck(peer.oracle.pings().get(0))
				.play();
			for (int i = 0; i < 8; i++) {
				peer.loop.advance(4, TimeUnit.SECONDS);
				peer.channel.socketTakes(3);
			}
			assertThat(peer.isConnected()).isTrue();
			peer.channel.socketTakes(Long.MAX_VALUE);
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void aClientThatReadsEndlesslySlowlyIsWaitedForAMinute() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.channel.socketTakes(0);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(1, ScriptedPeer.ABC)
				.pingAck(peer.oracle.pings().get(0))
				.play();
			for (int i = 0; i < 11; i++) {
				peer.channel.socketTakes(1);
				peer.loop.advance(5, TimeUnit.SECONDS);
				assertThat(peer.isConnected()).isTrue();
			}
			peer.channel.socketTakes(1);
			peer.loop.advance(5, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aClientThatReadsNoMoreIsWaitedForAsLongAsOneThatNeverRead() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.channel.socketTakes(0);
			peer.illegalWindowUpdate(0, 0).play();
			peer.channel.socketTakes(3);
			peer.loop.advance(5, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isTrue();
			peer.loop.advance(5, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aClientThatStillSendsAsItReadsItsAnswersIsWaitedFor() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.servesACall(1).pingAck(peer.oracle.pings().get(0)).play();
			assertThat(peer.channel.isOutputShutdown()).isTrue();
			for (int i = 0; i < 4; i++) {
				peer.windowUpdate(0, 1).play();
				peer.loop.advance(1, TimeUnit.SECONDS);
				assertThat(peer.isConnected()).isTrue();
			}
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aClientThatSendsMoreThanItHasCreditForIsNotListenedTo() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(1000, 65535, 8192).connected()) {
			peer.illegalWindowUpdate(0, 0).play();
			assertThat(peer.channel.isOutputShutdown()).isTrue();
			peer.raw(new byte[65535 + 64 * 1024]).play();
			assertThat(peer.isConnected()).isTrue();
			peer.raw(new byte[1]).play();
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void aClientThatSendsForEverIsNotWaitedFor() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			for (int i = 0; i < 10; i++) {
				assertThat(peer.isConnected()).isTrue();
				peer.windowUpdate(0, 1).play();
				peer.loop.advance(1, TimeUnit.SECONDS);
			}
			assertThat(peer.isConnected()).isFalse();
		}
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.illegalWindowUpdate(0, 0).play();
			peer.ping(1).play();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.isConnected()).as("after its own fault").isFalse();
		}
	}

	/**
	 * The answer to the PING divides the calls that are served from those that the client
	 * makes again elsewhere, also within one read.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsBeforeTheAnsweredPingAreServedAndThoseAfterItAreNot(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected()) {
			shutdown(peer);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(1, ScriptedPeer.ABC)
				.headers(3, ScriptedPeer.request("/t.Echo/Unary"))
				.data(3, ScriptedPeer.ABC)
				.pingAck(peer.oracle.pings().get(0))
				// of a call that is served
				.lastData(3)
				.headers(5, ScriptedPeer.request("/t.Echo/Unary"))
				.lastData(5, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(peer.stream(3).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
			assertThat(this.service.calls).hasSize(2);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 3L);
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void callsAfterTheTimeForThePingAreNotServedEitherAndItsLateAnswerMeansNothing() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			peer.loop.advance(5, TimeUnit.SECONDS);
			peer.headers(3, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.advance(5, TimeUnit.SECONDS);
			peer.headers(5, ScriptedPeer.request("/t.Echo/Bidi")).pingAck(peer.oracle.pings().get(0)).play();
			assertThat(this.service.calls).hasSize(2);
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 3L);
			peer.loop.enter(() -> this.service.calls.forEach((call) -> call.close(Status.OK)));
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(peer.isLeft()).isTrue();
		}
	}

	@Test
	void headersOfIgnoredStreamsEnterTheTableAllTheSame() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			shutdown(peer);
			peer.pingAck(peer.oracle.pings().get(0))
				.headers(3, 0, RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Bidi", "x-of-the-table", "a")))
				.headers(1, FrameScript.END_STREAM, RawHpack.indexed(62))
				.play();
			assertThat(lastStreams(peer)).containsExactly(ANY_STREAM, 1L);
			assertThat(this.service.onlyCall().events).contains("halfClose");
		}
	}

	@Test
	void aLostConnectionCancelsItsCalls() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, new byte[3]).play();
			peer.channel.breaks();
			peer.settle();
			assertThat(this.service.onlyCall().cancelled).isTrue();
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.CANCELLED);
		}
	}

	private static void shutdown(ScriptedPeer peer) {
		peer.loop.leave(peer.connection()::shutdown);
		peer.settle();
	}

	private static List<Long> lastStreams(ScriptedPeer peer) {
		return peer.oracle.goAways().stream().map((goAway) -> (long) goAway.lastStreamId()).toList();
	}

}
