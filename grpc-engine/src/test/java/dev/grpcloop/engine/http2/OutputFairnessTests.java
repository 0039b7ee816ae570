package dev.grpcloop.engine.http2;

import java.util.List;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A large response takes its turn like all others: on its connection, and on its loop.
 */
class OutputFairnessTests {

	private static final int MIB = 1024 * 1024;

	private static final int PREFIX = 5;

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SILENT);

	private ScriptedPeer peer(int... settings) {
		ScriptedPeer peer = ScriptedPeer.of(this.service).connected(settings);
		return peer.windowUpdate(0, 1 << 30).play();
	}

	private void opens(ScriptedPeer peer, int streamId) {
		peer.headers(streamId, ScriptedPeer.request("/t.Raw/Bidi")).play();
	}

	private List<String> data(ScriptedPeer peer) {
		return peer.oracle.frames().stream().filter((frame) -> frame.startsWith("DATA ")).toList();
	}

	@Test
	void aLargeResponseIsWrittenInTurnsHoweverFastItIsRead() {
		try (ScriptedPeer peer = peer(0x4, 1 << 30, 0x5, (1 << 24) - 1)) {
			opens(peer, 1);
			peer.loop.enter(() -> this.service.call(0).send(new byte[8 * MIB - PREFIX]));
			int turns = 0;
			while (peer.stream(1).body.size() < 8 * MIB) {
				int before = peer.stream(1).body.size();
				peer.loop.runOne();
				assertThat(peer.stream(1).body.size() - before).isLessThanOrEqualTo(256 * 1024);
				turns++;
			}
			assertThat(turns).isGreaterThanOrEqualTo(31);
		}
	}

	@Test
	void aSmallMessageGoesInBetween() {
		try (ScriptedPeer peer = peer(0x4, 1 << 30)) {
			opens(peer, 1);
			opens(peer, 3);
			peer.loop.enter(() -> this.service.call(0).send(new byte[8 * MIB]));
			peer.loop.runOne();
			int before = data(peer).size();
			peer.loop.enter(() -> this.service.call(1).send(new byte[10]));
			peer.loop.runOne();
			peer.loop.runOne();
			List<String> between = data(peer);
			assertThat(peer.stream(3).body.size()).isEqualTo(15);
			// no more than one turn of 256 KiB
			assertThat(between.subList(before, between.size())
				.stream()
				.takeWhile((frame) -> !frame.startsWith("DATA stream=3 "))).hasSizeLessThanOrEqualTo(17);
			assertThat(peer.stream(1).body.size()).isLessThanOrEqualTo(MIB);
			peer.settle();
		}
	}

	@Test
	void allStreamsGetTheSame() {
		try (ScriptedPeer peer = peer(0x4, 1 << 30)) {
			int streams = 10;
			for (int i = 0; i < streams; i++) {
				opens(peer, 2 * i + 1);
			}
			peer.loop.enter(() -> {
				for (int i = 0; i < streams; i++) {
					this.service.call(i).send(new byte[4 * MIB]);
				}
			});
			for (int turn = 0; turn < 20; turn++) {
				peer.loop.runOne();
			}
			int least = Integer.MAX_VALUE;
			int most = 0;
			for (int i = 0; i < streams; i++) {
				least = Math.min(least, peer.stream(2 * i + 1).body.size());
				most = Math.max(most, peer.stream(2 * i + 1).body.size());
			}
			// what the first one wrote before the second had something to say
			assertThat(most - least).isLessThanOrEqualTo(256 * 1024 + 2 * 16384);
			assertThat(least).isPositive();
			peer.settle();
		}
	}

	@Test
	void aStreamThatWaitsForTheConnectionKeepsItsTurn() {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = server.connected(0x4, 1 << 30)) {
			for (int id = 1; id <= 5; id += 2) {
				opens(peer, id);
			}
			peer.loop.enter(() -> {
				for (int i = 0; i < 3; i++) {
					this.service.call(i).send(new byte[200_000]);
				}
			});
			peer.settle();
			int before = data(peer).size();
			for (int i = 0; i < 6; i++) {
				peer.windowUpdate(0, 100).play();
			}
			List<String> frames = data(peer);
			assertThat(frames.subList(before, frames.size())).extracting((frame) -> frame.split(" ")[1])
				.containsExactly("stream=1", "stream=3", "stream=5", "stream=1", "stream=3", "stream=5");
			peer.windowUpdate(0, 1 << 20).play();
		}
	}

	@Test
	void aServiceThatSendsWhileItIsReadyComesToAnEndOfItsTurn() {
		this.service.behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				while (call.call.isReady() && call.sent.size() < 4 * MIB) {
					call.send(new byte[1000]);
				}
			}

		});
		try (ScriptedPeer peer = peer(0x4, 1 << 30)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).deliver();
			assertThat(this.service.onlyCall().sent.size()).isLessThan(MIB);
			peer.settle();
			assertThat(this.service.onlyCall().sent.size()).isGreaterThanOrEqualTo(4 * MIB);
			assertThat(peer.stream(1).body.size()).isEqualTo(this.service.onlyCall().sent.size());
		}
	}

}
