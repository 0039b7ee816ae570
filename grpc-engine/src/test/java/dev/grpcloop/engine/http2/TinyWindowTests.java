package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Windows that a client opens a few bytes at a time (CVE-2019-9511, case B38 b).
 */
class TinyWindowTests {

	private static final int INITIAL_WINDOW_SIZE = 0x4;

	private static final byte[] MESSAGE = new byte[1024 * 1024];

	private final ScriptedService service = new ScriptedService().behaves(new Behaviour() {

		@Override
		public void halfClosed(ServedCall call) {
			call.send(MESSAGE);
			call.close(Status.OK);
		}

	});

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aStreamsWindowOfOneByteAtATimeEndsTheConnection(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop, INITIAL_WINDOW_SIZE, 0)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			for (int i = 0; i < 2000 && !peer.isLeft(); i++) {
				peer.windowUpdate(1, 1).play();
			}
			assertTripped(peer, Guard.TINY_WINDOWS);
			assertThat(peer.stream(1).body.size()).isEqualTo(AbuseLimits.DEFAULT.tinyFrames() + 1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aConnectionsWindowOfOneByteAtATimeEndsTheConnection(boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop, INITIAL_WINDOW_SIZE, Integer.MAX_VALUE)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			for (int i = 0; i < 2000 && !peer.isLeft(); i++) {
				peer.windowUpdate(0, 1).play();
			}
			assertTripped(peer, Guard.TINY_WINDOWS);
		}
	}

	@Test
	void aHundredStreamsWithOneByteEachAtATimeEndTheConnection() {
		try (ScriptedPeer peer = connected(false, INITIAL_WINDOW_SIZE, 0)) {
			for (int id = 1; id < 200; id += 2) {
				peer.lastHeaders(id, ScriptedPeer.request("/t.Raw/ServerStream"));
			}
			peer.play();
			for (int window = 1; window < 20 && !peer.isLeft(); window++) {
				peer.settings(INITIAL_WINDOW_SIZE, window).play();
			}
			assertTripped(peer, Guard.TINY_WINDOWS);
		}
	}

	@Test
	void allInOneReadEndsTheConnectionToo() {
		try (ScriptedPeer peer = connected(false, INITIAL_WINDOW_SIZE, 0)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			for (int i = 0; i < 2000; i++) {
				peer.windowUpdate(1, 1);
			}
			peer.play();
			assertTripped(peer, Guard.TINY_WINDOWS);
		}
	}

	/**
	 * A window that ends in the middle of a frame leaves a small piece, for every client
	 * now and then; for this one always.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 16384 + 1, 3 * 16384 + 255 })
	void tinyFramesAmongAsManyWholeOnesAreAllowed(int window) {
		try (ScriptedPeer peer = connected(false, INITIAL_WINDOW_SIZE, 0)) {
			peer.windowUpdate(0, Integer.MAX_VALUE - 65535).play();
			int streamId = 1;
			int tiny = 0;
			while (tiny < 3 * AbuseLimits.DEFAULT.tinyFrames()) {
				peer.lastHeaders(streamId, ScriptedPeer.request("/t.Raw/ServerStream")).play();
				while (!peer.stream(streamId).isOver() && !peer.isLeft()) {
					peer.windowUpdate(streamId, window).play();
					tiny++;
				}
				assertThat(peer.stream(streamId).status()).isZero();
				streamId += 2;
			}
			assertThat(peer.telemetry.guards).isEmpty();
			assertThat(peer.isLeft()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void smallMessagesThatWaitedForAWindowAreNotTiny(boolean offLoop) {
		this.service.behaves(new Behaviour() {

			@Override
			public void halfClosed(ServedCall call) {
				for (int i = 0; i < 3 * AbuseLimits.DEFAULT.tinyFrames(); i++) {
					call.send(new byte[5]);
				}
				call.close(Status.OK);
			}

		});
		try (ScriptedPeer peer = connected(offLoop, INITIAL_WINDOW_SIZE, 0)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			peer.windowUpdate(1, 65535).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.telemetry.guards).isEmpty();
			assertThat(peer.isLeft()).isFalse();
		}
	}

	@Test
	void smallMessagesAreNotTiny() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected(false)) {
			for (int i = 0; i < 5000; i++) {
				peer.servesACall(1 + 2 * i);
			}
			assertAlive(peer, 10_001);
		}
	}

	private ScriptedPeer connected(boolean offLoop, int... settings) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		return (offLoop ? server.runsOffLoop() : server).connected(settings);
	}

}
