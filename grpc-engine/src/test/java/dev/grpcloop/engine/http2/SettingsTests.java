package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From which moment the client's SETTINGS hold (RFC 9113 section 6.5). The oracle applies
 * each when its acknowledgement comes, and whatever the server sends on the wrong side of
 * it is a fault.
 */
class SettingsTests {

	private static final int HEADER_TABLE_SIZE = 0x1;

	private static final int ENABLE_PUSH = 0x2;

	private static final int MAX_CONCURRENT_STREAMS = 0x3;

	private static final int INITIAL_WINDOW_SIZE = 0x4;

	private static final int MAX_FRAME_SIZE = 0x5;

	private final ScriptedService service = new ScriptedService();

	@Test
	void theInitialWindowMovesOpenStreamsAndThoseToCome() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(INITIAL_WINDOW_SIZE, 100)) {
			for (int id = 1; id <= 5; id += 2) {
				peer.lastHeaders(id, ScriptedPeer.request("/t.Echo/ServerStream"));
			}
			peer.windowUpdate(3, 50).play();
			int framed = 5 + 3 + 1000;
			sends(peer, 0, 1000);
			sends(peer, 1, 1000);
			assertSent(peer, 100, 150, 0);
			peer.settings(INITIAL_WINDOW_SIZE, 40).play();
			assertThat(peer.stream(1).outboundWindow).isEqualTo(-60);
			assertThat(peer.stream(3).outboundWindow).isEqualTo(-60);
			sends(peer, 2, 1000);
			assertSent(peer, 100, 150, 40);
			peer.settings(INITIAL_WINDOW_SIZE, 100).play();
			assertSent(peer, 100, 150, 100);
			// down, and further up, before the server has read either
			peer.settings(INITIAL_WINDOW_SIZE, 0).settings(INITIAL_WINDOW_SIZE, 101).play();
			assertSent(peer, 101, 151, 101);
			peer.lastHeaders(7, ScriptedPeer.request("/t.Echo/ServerStream")).play();
			sends(peer, 3, 1000);
			assertThat(peer.stream(7).body.size()).isEqualTo(101);
			peer.settings(INITIAL_WINDOW_SIZE, 65535).play();
			assertSent(peer, framed, framed, framed);
			assertThat(peer.stream(7).body.size()).isEqualTo(framed);
		}
	}

	@Test
	void settingsHoldForTheCallsAfterThemInTheSameRead() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			byte[] large = ScriptedPeer.message(new byte[20_000]);
			peer.headers(1, ScriptedPeer.request("/t.Raw/Unary"))
				.message(1, large)
				.lastData(1)
				.settings(INITIAL_WINDOW_SIZE, 7, HEADER_TABLE_SIZE, 0, MAX_FRAME_SIZE, 16384)
				.headers(3, ScriptedPeer.request("/t.Raw/Unary"))
				.message(3, large)
				.lastData(3)
				.play();
			assertThat(peer.stream(3).body.size()).isEqualTo(7);
			peer.settings(MAX_FRAME_SIZE, 20_000, INITIAL_WINDOW_SIZE, 65535, HEADER_TABLE_SIZE, 4096).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(3).status()).isZero();
			assertThat(peer.stream(3).body.size()).isEqualTo(large.length);
			peer.servesACall(5).servesACall(7);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void whetherTheClientWantsPushesChangesNothing(int push) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(ENABLE_PUSH, push)) {
			peer.servesACall(1);
			peer.settings(ENABLE_PUSH, push, ENABLE_PUSH, 1 - push).play();
			peer.servesACall(3);
			assertThat(peer.oracle.settingsPending()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, -1 })
	void howManyStreamsTheServerMayOpenIsOfNoConcernToTheClients(int streams) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(MAX_CONCURRENT_STREAMS, streams)) {
			peer.servesACall(1).servesACall(3);
		}
	}

	@Test
	void theServersOwnLimitsHoldBeforeTheClientKnowsThem() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(2, 65535, 8192).accepted()) {
			peer.preface().settings();
			for (int id = 1; id <= 9; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi")).data(id, new byte[1000]);
			}
			peer.play();
			assertThat(this.service.calls).hasSize(2);
			assertThat(peer.stream(5).resetCode).isEqualTo(7);
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(65535);
		}
	}

	private void sends(ScriptedPeer peer, int call, int bytes) {
		peer.loop.enter(() -> this.service.call(call).send(new byte[bytes]));
		peer.settle();
	}

	private static void assertSent(ScriptedPeer peer, int... bytes) {
		for (int i = 0; i < bytes.length; i++) {
			assertThat(peer.stream(2 * i + 1).body.size()).as("stream " + (2 * i + 1)).isEqualTo(bytes[i]);
		}
	}

}
