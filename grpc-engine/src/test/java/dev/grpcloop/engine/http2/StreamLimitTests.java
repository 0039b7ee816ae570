package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * More streams than the server allows, before and after the client knows (case B39).
 */
class StreamLimitTests {

	private static final int REFUSED_STREAM = 7;

	private static final int WINDOW = 100_000;

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SINK);

	/**
	 * Case B39.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void streamsBeyondTheLimitInTheFirstFlightAreRefused(boolean offLoop) {
		try (ScriptedPeer peer = accepted(offLoop)) {
			peer.preface().settings();
			for (int id = 1; id <= 9; id += 2) {
				peer.lastHeaders(id, ScriptedPeer.request("/t.Echo/Bidi"));
			}
			peer.play();
			assertThat(this.service.calls).hasSize(2);
			for (int id = 5; id <= 9; id += 2) {
				assertThat(peer.stream(id).resetCode).isEqualTo(REFUSED_STREAM);
			}
			assertThat(peer.oracle.goAways()).isEmpty();
			assertThat(peer.isLeft()).isFalse();
			this.service.calls.forEach((call) -> call.call.close(Status.OK, call.trailers));
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(3).status()).isZero();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(11);
		}
	}

	/**
	 * Case B39.
	 */
	@Test
	void theDataOfStreamsThatWereRefusedAreRefunded() {
		try (ScriptedPeer peer = accepted(false)) {
			peer.preface().settings().play();
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).headers(3, ScriptedPeer.request("/t.Echo/Bidi"));
			for (int id = 5; id < 105; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi")).data(id, new byte[16384]).play();
			}
			assertThat(peer.oracle.inboundWindow()).as("credit of the connection").isGreaterThan(WINDOW / 2);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	/**
	 * Case B39: what stands in the header block of a stream that is refused enters the
	 * table.
	 */
	@Test
	void theHeadersOfStreamsThatWereRefusedAreDecoded() {
		try (ScriptedPeer peer = accepted(false)) {
			peer.preface().settings();
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).headers(3, ScriptedPeer.request("/t.Echo/Bidi"));
			peer.headers(5, 0, RawHpack.concat(RawHpack.block(ScriptedPeer.request("/t.Echo/Bidi")),
					RawHpack.insertingBlock("x-refused", "its-value")))
				.play();
			assertThat(peer.stream(5).resetCode).isEqualTo(REFUSED_STREAM);
			peer.reset(1, 8)
				.headers(7, 0,
						RawHpack.concat(RawHpack.block(ScriptedPeer.request("/t.Echo/Bidi")), RawHpack.indexed(62)))
				.play();
			assertThat(this.service.call(2).metadata
				.get(io.grpc.Metadata.Key.of("x-refused", io.grpc.Metadata.ASCII_STRING_MARSHALLER)))
				.isEqualTo("its-value");
		}
	}

	@Test
	void aClientThatCannotKnowTheLimitIsNotToBlame() {
		try (ScriptedPeer peer = accepted(false)) {
			peer.preface().settings();
			for (int id = 1; id < 10_000; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi"));
			}
			peer.play();
			assertThat(peer.telemetry.guards).isEmpty();
			assertThat(this.service.calls).hasSize(2);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aClientThatKnowsTheLimitAndGoesOnIsCutOff(boolean offLoop) {
		try (ScriptedPeer peer = accepted(offLoop).connects()) {
			int refused = AbuseLimits.DEFAULT.protocolFaults() + 2;
			for (int id = 1; id <= 2 * (2 + refused); id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi"));
			}
			peer.play();
			assertThat(peer.telemetry.guards).isEmpty();
			peer.headers(999, ScriptedPeer.request("/t.Echo/Bidi")).play();
			assertTripped(peer, Guard.PROTOCOL_FAULTS);
			assertThat(this.service.calls).hasSize(2);
		}
	}

	private ScriptedPeer accepted(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service).limits(2, WINDOW, 8192);
		return (offLoop ? server.runsOffLoop() : server).accepted();
	}

}
