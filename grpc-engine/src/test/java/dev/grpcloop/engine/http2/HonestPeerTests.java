package dev.grpcloop.engine.http2;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that does nothing wrong, and a little of all that guards look for, for an
 * hour.
 */
class HonestPeerTests {

	private static final int CANCEL = 8;

	private static final byte[] LARGE = ScriptedPeer.message(new byte[100_000]);

	private final ScriptedService service = new ScriptedService();

	private final Random random = new Random(34);

	private int nextId = 1;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anHourOfLegalTrafficTripsNoGuard(boolean offLoop) {
		this.service.behaves((call) -> call.method().endsWith("ClientStream") ? Behaviour.SINK : Behaviour.ECHO);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(0x4, 50_000)) {
			for (int second = 0; second < 3600; second++) {
				for (int i = 0; i < 3; i++) {
					cancels(peer);
				}
				downloads(peer);
				if (second % 10 == 0) {
					peer.settings(0x4, 50_000 + this.random.nextInt(100));
					peer.frame(Http2FrameTypes.PRIORITY, 0, this.nextId, new byte[5]);
					peer.frame(0x77, 0, 0, new byte[20]);
					emptyFrame(peer);
				}
				if (second % 600 == 0) {
					peer.ping(second);
				}
				peer.play();
				this.service.calls.clear();
				peer.loop.advance(1, TimeUnit.SECONDS);
				assertThat(peer.telemetry.guards).as("in second " + second).isEmpty();
			}
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, this.nextId);
			assertThat(peer.connection().abandonedCalls().count()).isZero();
		}
		this.service.verify();
	}

	private void cancels(ScriptedPeer peer) {
		int id = nextId();
		peer.headers(id, ScriptedPeer.request("/t.Echo/ClientStream")).data(id, ScriptedPeer.ABC);
		if (this.random.nextBoolean()) {
			peer.play();
		}
		peer.reset(id, CANCEL);
	}

	private void downloads(ScriptedPeer peer) {
		int id = nextId();
		peer.headers(id, ScriptedPeer.request("/t.Raw/Unary")).message(id, LARGE);
		peer.lastData(id).play();
		while (!peer.stream(id).isOver() && !peer.isLeft()) {
			int read = this.random.nextInt(30_000) + 1;
			peer.windowUpdate(id, read).windowUpdate(0, read).play();
		}
		assertThat(peer.stream(id).status()).isZero();
		peer.windowUpdate(0, (int) Math.max(1, 65535 - peer.oracle.outboundWindow()));
	}

	private void emptyFrame(ScriptedPeer peer) {
		int id = nextId();
		peer.headers(id, ScriptedPeer.request("/t.Echo/Unary"))
			.data(id, new byte[0])
			.data(id, ScriptedPeer.ABC)
			.lastData(id);
	}

	private int nextId() {
		int id = this.nextId;
		this.nextId += 2;
		return id;
	}

}
