package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Peers that have fallen silent (gRPC A9, case B40 e and f).
 */
class KeepAliveTests {

	private final ScriptedService service = new ScriptedService();

	@Test
	void aSilentClientIsPingedAndGivenUp() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).isEmpty();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).containsExactly(KeepAlive.PING);
			peer.loop.advance(19, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.telemetry.guards).containsExactly(Guard.KEEPALIVE_TIMEOUT);
			assertThat(this.service.onlyCall().cancelled).isTrue();
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNAVAILABLE);
			assertThat(peer.loop.hasTimers()).isFalse();
		}
	}

	@Test
	void aClientWithoutCallsIsPingedToo() {
		try (ScriptedPeer peer = connected()) {
			for (int i = 1; i < 5; i++) {
				peer.loop.advance(100, TimeUnit.SECONDS);
				assertThat(peer.settle().oracle.pings()).hasSize(i);
				peer.pingAck(KeepAlive.PING).play();
			}
			peer.servesACall(1);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	@Test
	void theTimeoutMayBeLongerThanTheTime() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service)
			.life(Life.that().isPinged(10, 100).build())
			.connected()) {
			for (int i = 1; i < 5; i++) {
				peer.loop.advance(10, TimeUnit.SECONDS);
				assertThat(peer.settle().oracle.pings()).hasSize(i);
				peer.pingAck(KeepAlive.PING).play();
			}
			peer.loop.advance(10, TimeUnit.SECONDS);
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.oracle.pings()).hasSize(5);
		}
	}

	/**
	 * Case B40 (f).
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 9, 17 })
	void anyByteIsALifeSign(int bytes) {
		try (ScriptedPeer peer = connected()) {
			peer.pingAck(5).playOnly(bytes);
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).isEmpty();
			peer.takeScript();
		}
		try (ScriptedPeer peer = connected()) {
			peer.loop.advance(110, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).hasSize(1);
			peer.pingAck(5).playOnly(bytes);
			peer.loop.advance(99, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).as("silent for less than the time").hasSize(1);
			assertThat(peer.isConnected()).isTrue();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).hasSize(2);
			peer.loop.advance(20, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			peer.takeScript();
		}
	}

	@Test
	void aClientThatKeepsTalkingIsNotPinged() {
		try (ScriptedPeer peer = connected()) {
			for (int i = 0; i < 50; i++) {
				peer.loop.advance(99, TimeUnit.SECONDS);
				peer.servesACall(2 * i + 1);
			}
			assertThat(peer.oracle.pings()).isEmpty();
		}
	}

	@Test
	void theServersOwnBytesAreNoLifeSign() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Echo/ServerStream")).play();
			for (int i = 0; i < 12; i++) {
				peer.loop.enter(() -> this.service.onlyCall().send(new byte[10]));
				peer.settle();
				peer.loop.advance(10, TimeUnit.SECONDS);
			}
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.telemetry.guards).containsExactly(Guard.KEEPALIVE_TIMEOUT);
		}
	}

	@Test
	void aClientWhoseSocketIsFullIsGivenUpAtOnce() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Echo/ServerStream")).play();
			peer.channel.socketTakes(0);
			peer.loop.enter(() -> this.service.onlyCall().send(new byte[1000]));
			peer.settle();
			peer.loop.advance(120, TimeUnit.SECONDS);
			peer.loop.advance(20, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.telemetry.guards).containsExactly(Guard.KEEPALIVE_TIMEOUT);
		}
	}

	@Test
	void theAnswerIsNotTakenForThatToAShutdown() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.advance(95, TimeUnit.SECONDS);
			peer.loop.leave(peer.connection()::shutdown);
			peer.settle();
			peer.loop.advance(5, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).hasSize(2).doesNotHaveDuplicates();
			peer.pingAck(KeepAlive.PING).play();
			assertThat(peer.oracle.goAways()).hasSize(1);
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(peer.oracle.goAways()).hasSize(2);
		}
	}

	@Test
	void aConnectionThatDrainsIsStillLookedAfter() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.loop.leave(peer.connection()::shutdown);
			peer.settle().pingAck(peer.oracle.pings().get(0)).play();
			assertThat(peer.oracle.goAways()).hasSize(2);
			peer.loop.advance(100, TimeUnit.SECONDS);
			peer.loop.advance(20, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isFalse();
			assertThat(peer.telemetry.guards).containsExactly(Guard.KEEPALIVE_TIMEOUT);
		}
	}

	@Test
	void aConnectionThatIsLostIsNotPinged() {
		ScriptedPeer peer = connected();
		peer.close();
		assertThat(peer.loop.hasTimers()).isFalse();
		assertThat(peer.telemetry.guards).isEmpty();
	}

	@Test
	void withoutATimeoutASilentClientIsPingedOnceAndWaitedForForEver() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service)
			.life(Life.that().isPinged(100, Long.MAX_VALUE).build())
			.connected()) {
			peer.loop.advance(100, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).hasSize(1);
			assertThat(peer.loop.hasTimers()).isFalse();
			peer.loop.advance(365, TimeUnit.DAYS);
			peer.pingAck(KeepAlive.PING).play();
			peer.servesACall(1);
			peer.loop.advance(100, TimeUnit.SECONDS);
			assertThat(peer.settle().oracle.pings()).as("the next silence").hasSize(2);
		}
	}

	@Test
	void aConnectionThatEndsIsNotPinged() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(Life.that().isPinged(2, 1).build()).connected()) {
			peer.channel.socketTakes(0);
			peer.illegalWindowUpdate(0, 0).play();
			long bytes = peer.channel.bytesThatWait();
			peer.loop.advance(4, TimeUnit.SECONDS);
			assertThat(peer.settle().isConnected()).isTrue();
			assertThat(peer.channel.bytesThatWait()).isEqualTo(bytes);
			assertThat(peer.telemetry.guards).isEmpty();
		}
	}

	private ScriptedPeer connected() {
		return ScriptedPeer.of(this.service).life(Life.that().isPinged(100, 20).build()).connected();
	}

}
