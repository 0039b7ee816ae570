package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that opens its window and does not read its socket (case B38 c).
 */
class WriteStallTests {

	private static final long STALL_SECONDS = TimeUnit.NANOSECONDS.toSeconds(ConnectionLife.DEFAULT.stallNanos());

	/** A client may ping as often as it likes: answers that no window limits. */
	static final ConnectionLife PINGS_PERMITTED = new ConnectionLife(ConnectionLife.DEFAULT.handshakeNanos(),
			ConnectionLife.DEFAULT.headersNanos(), ConnectionLife.DEFAULT.stallNanos(), ConnectionLife.NEVER,
			ConnectionLife.DEFAULT.keepAliveTimeoutNanos(), 0, true, ConnectionLife.NEVER, ConnectionLife.NEVER,
			ConnectionLife.NEVER);

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SILENT);

	private ScriptedPeer stalled(int bytes) {
		ScriptedPeer peer = ScriptedPeer.of(this.service).life(PINGS_PERMITTED).connected(0x4, 1 << 20);
		peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
		peer.channel.socketTakes(0);
		peer.loop.enter(() -> this.service.onlyCall().send(new byte[bytes]));
		return peer.settle();
	}

	private static void pass(ScriptedPeer peer, long seconds) {
		for (long second = 0; second < seconds; second++) {
			peer.loop.advance(1, TimeUnit.SECONDS);
			peer.settle();
		}
	}

	@Test
	void aSocketThatTakesNothingEndsTheConnection() {
		try (ScriptedPeer peer = stalled(50_000)) {
			pass(peer, STALL_SECONDS - 1);
			assertThat(peer.isConnected()).isTrue();
			pass(peer, 1 + STALL_SECONDS / 4);
			assertThat(peer.isConnected()).isFalse();
			assertThat(this.service.onlyCall().cancelled).isTrue();
			assertThat(peer.telemetry.guards).containsExactly(Guard.WRITE_STALL);
			// the server has ended them: to be lost is another thing
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNAVAILABLE);
		}
	}

	@Test
	void oneByteIsProgress() {
		try (ScriptedPeer peer = stalled(1_000_000)) {
			for (int i = 0; i < 20; i++) {
				pass(peer, STALL_SECONDS - 1);
				assertThat(peer.isConnected()).isTrue();
				peer.channel.socketTakes(1);
			}
			pass(peer, 2 * STALL_SECONDS);
			assertThat(peer.isConnected()).isFalse();
		}
	}

	@Test
	void bytesThatAreAddedAreNoProgress() {
		try (ScriptedPeer peer = stalled(50_000)) {
			for (int i = 0; i <= STALL_SECONDS + STALL_SECONDS / 4; i++) {
				peer.ping(i).play();
				pass(peer, 1);
			}
			assertThat(peer.isConnected()).isFalse();
			assertThat(peer.telemetry.guards).containsExactly(Guard.WRITE_STALL);
		}
	}

	@Test
	void aClientThatGivesNoCreditIsNotMeant() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 0)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			peer.loop.enter(() -> this.service.onlyCall().send(new byte[50_000]));
			peer.settle();
			pass(peer, 3 * STALL_SECONDS);
			assertThat(peer.isConnected()).isTrue();
			peer.windowUpdate(1, 60_000).play();
			assertThat(peer.stream(1).body.size()).isEqualTo(50_005);
		}
	}

	@Test
	void aBacklogThatWasTakenIsForgotten() {
		try (ScriptedPeer peer = stalled(50_000)) {
			assertThat(peer.connection().memory().held()).isGreaterThan(50_000);
			peer.channel.socketTakes(Long.MAX_VALUE);
			pass(peer, 3 * STALL_SECONDS);
			assertThat(peer.isConnected()).isTrue();
			assertThat(peer.connection().memory().held()).isLessThan(16 * 1024);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

}
