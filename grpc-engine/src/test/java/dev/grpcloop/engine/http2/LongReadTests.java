package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.telemetry.Guard;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transport that goes on reading because its peer goes on sending, and does not say
 * that a read is complete.
 */
class LongReadTests {

	private static final int PING_FRAME = 9 + 8;

	private final ScriptedService service = new ScriptedService();

	/**
	 * Has the transport read what is in the script, and more to come.
	 */
	private static void readOn(ScriptedPeer peer) {
		peer.channel.readsOn(peer.takeScript());
	}

	/**
	 * Frames that are ignored, and are answered with nothing.
	 */
	private static void addFrames(ScriptedPeer peer, int bytes) {
		byte[] payload = new byte[16 * 1024 - 9];
		for (int added = 0; added < bytes; added += 16 * 1024) {
			peer.frame(0x77, 0, 0, payload);
		}
	}

	@Test
	void whatIsAnsweredLeavesWhenMuchWasRead() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, ScriptedPeer.ABC);
			readOn(peer);
			assertThat(peer.stream(1).body.size()).as("bytes answered in the midst of a batch").isZero();
			addFrames(peer, ConnectionBatch.MOST_BYTES);
			readOn(peer);
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
		}
	}

	@Test
	void callsReachTheirThreadsWhenMuchWasRead() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).runsOffLoop().connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, ScriptedPeer.ABC);
			readOn(peer);
			assertThat(peer.executor.size()).as("tasks handed over in the midst of a batch").isZero();
			addFrames(peer, ConnectionBatch.MOST_BYTES);
			readOn(peer);
			assertThat(peer.executor.size()).isOne();
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
		}
	}

	/**
	 * One that never ends would let the answers gather unseen.
	 */
	@Test
	void answersThatNobodyReadsAreCounted() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).life(WriteStallTests.PINGS_PERMITTED).connected()) {
			peer.channel.socketTakes(0);
			long answered = 0;
			while (peer.isConnected()) {
				assertThat(answered).as("bytes of answers that wait")
					.isLessThanOrEqualTo(UnreadOutputGuard.LIMIT + ConnectionBatch.MOST_BYTES);
				for (int i = 0; i < 1000; i++) {
					peer.ping(i);
				}
				answered += 1000 * PING_FRAME;
				readOn(peer);
			}
			assertThat(answered).isGreaterThan(UnreadOutputGuard.LIMIT);
			assertThat(peer.telemetry.guards).containsExactly(Guard.UNREAD_OUTPUT);
		}
	}

}
