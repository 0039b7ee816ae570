package dev.grpcloop.engine.http2;

import java.util.Locale;

import dev.grpcloop.engine.telemetry.Guard;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a guard does when it trips, and what is to be seen when none has.
 */
final class TrippedGuard {

	private static final int ENHANCE_YOUR_CALM = 11;

	private TrippedGuard() {
	}

	/**
	 * The guard has tripped once: the peer was told, and the connection has ended.
	 */
	static void assertTripped(ScriptedPeer peer, Guard guard) {
		assertThat(peer.telemetry.guards).as("the guards that have tripped").containsExactly(guard);
		assertThat(peer.oracle.goAways()).singleElement().satisfies((goAway) -> {
			assertThat(goAway.errorCode()).isEqualTo(ENHANCE_YOUR_CALM);
			assertThat(goAway.debugData()).startsWith(guard.name().toLowerCase(Locale.ROOT) + ": ");
		});
		assertThat(peer.isLeft()).as("the connection ends").isTrue();
		assertThat(peer.connection().streams().isEmpty()).as("no call is left").isTrue();
		peer.ping(1).settings().headers(999_999, ScriptedPeer.request("/t.Echo/Unary")).play();
		assertThat(peer.telemetry.guards).as("the guards that have tripped, after more frames").containsExactly(guard);
		assertThat(peer.connection().abandonedCalls().count()).as("calls that outlive their streams").isZero();
	}

	/**
	 * None has tripped, and the connection works.
	 */
	static void assertAlive(ScriptedPeer peer, int freeStreamId) {
		assertThat(peer.telemetry.guards).as("the guards that have tripped").isEmpty();
		assertThat(peer.oracle.goAways()).isEmpty();
		peer.servesACall(freeStreamId);
		assertThat(peer.isLeft()).isFalse();
	}

}
