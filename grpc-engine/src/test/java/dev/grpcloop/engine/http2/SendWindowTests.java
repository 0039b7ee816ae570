package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The windows that the client gives the server, each by itself (RFC 9113 section 6.9).
 */
class SendWindowTests {

	private static final int PREFIX = 5;

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SILENT);

	private ScriptedPeer sending(int initialWindow, int bytes) {
		ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, initialWindow);
		peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
		peer.loop.enter(() -> this.service.onlyCall().send(new byte[bytes - PREFIX]));
		peer.settle();
		return peer;
	}

	/**
	 * Case B31 (a).
	 */
	@Test
	void notAByteLeavesWhileTheWindowIsNegative() {
		try (ScriptedPeer peer = sending(60_000, 62_000)) {
			WireStream stream = peer.stream(1);
			assertThat(stream.body.size()).isEqualTo(60_000);
			peer.settings(0x4, 1000).windowUpdate(0, 1 << 20).play();
			assertThat(stream.outboundWindow).isEqualTo(-59_000);
			for (int increment : new int[] { 1, 50_000, 8_998, 1 }) {
				peer.windowUpdate(1, increment).play();
				assertThat(stream.body.size()).isEqualTo(60_000);
			}
			assertThat(stream.outboundWindow).isZero();
			for (int i = 1; i <= 100; i++) {
				peer.windowUpdate(1, 1).play();
				assertThat(stream.body.size()).isEqualTo(60_000 + i);
			}
			peer.windowUpdate(1, 100_000).play();
			assertThat(stream.body.size()).isEqualTo(62_000);
		}
	}

	@Test
	void aStreamWithoutCreditHasItsHeadersAndNoTrailers() {
		try (ScriptedPeer peer = sending(0, 100)) {
			peer.loop.enter(() -> this.service.onlyCall().close(Status.OK));
			peer.settle();
			assertThat(peer.stream(1).header(":status")).isEqualTo("200");
			assertThat(peer.stream(1).body.size()).isZero();
			assertThat(peer.stream(1).isOver()).isFalse();
			peer.windowUpdate(1, 100).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.size()).isEqualTo(100);
		}
	}

	@Test
	void theInitialWindowOpensStreamsThatWait() {
		try (ScriptedPeer peer = sending(0, 100)) {
			peer.settings(0x4, 30).play();
			assertThat(peer.stream(1).body.size()).isEqualTo(30);
			peer.settings(0x4, 20, 0x4, 99).play();
			assertThat(peer.stream(1).body.size()).isEqualTo(99);
			peer.settings(0x4, 0, 0x4, 100).play();
			assertThat(peer.stream(1).body.size()).isEqualTo(100);
		}
	}

	@Test
	void theConnectionsWindowIsSharedFrameByFrame() {
		try (ScriptedPeer peer = sending(1 << 20, 60_000)) {
			for (int id = 3; id <= 9; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).play();
				ServedCall call = this.service.call((id - 1) / 2);
				peer.loop.enter(() -> call.send(new byte[100_000]));
				peer.settle();
			}
			assertThat(peer.oracle.outboundWindow()).isZero();
			int[] before = new int[10];
			for (int id = 3; id <= 9; id += 2) {
				before[id] = peer.stream(id).body.size();
			}
			peer.windowUpdate(0, 4 * 16384).play();
			for (int id = 3; id <= 9; id += 2) {
				assertThat(peer.stream(id).body.size() - before[id]).as("turn of stream " + id).isBetween(1, 16384);
			}
			peer.windowUpdate(0, 1 << 20).play();
			for (int id = 3; id <= 9; id += 2) {
				assertThat(peer.stream(id).messages()).hasSize(1);
			}
		}
	}

	@Test
	void aServiceThatSendsMoreAsItBecomesReadyHasNoMoreTurnsForThat() {
		this.service.behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				if (call.sent.size() > 0 && call.sent.size() < 1_000_000) {
					call.send(new byte[40_000]);
				}
			}

		});
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 24)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).headers(3, ScriptedPeer.request("/t.Raw/Bidi")).play();
			peer.loop.enter(() -> {
				this.service.call(0).send(new byte[100_000]);
				this.service.call(1).send(new byte[1_000_000]);
			});
			peer.settle();
			int before = peer.oracle.frames().size();
			peer.windowUpdate(0, 1_000_000).play();
			long first = turns(peer, before, 1);
			long second = turns(peer, before, 3);
			assertThat(first).isGreaterThan(10);
			assertThat(first).as("turns of stream 1, with " + second + " of stream 3")
				.isBetween(second - 2, second + 2);
		}
	}

	private static long turns(ScriptedPeer peer, int from, int streamId) {
		return peer.oracle.frames()
			.subList(from, peer.oracle.frames().size())
			.stream()
			.filter((frame) -> frame.startsWith("DATA stream=" + streamId + " "))
			.count();
	}

	@Test
	void framesAreAsLargeAsTheClientTakesAndNoLargerThanIsFairToOtherStreams() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 24)) {
			peer.windowUpdate(0, 1 << 24).headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			send(peer, 16384);
			assertThat(lastFrames(peer, 1)).containsExactly(16384);
			send(peer, 16385);
			assertThat(lastFrames(peer, 2)).containsExactly(16384, 1);
			peer.settings(0x5, 20_000).play();
			send(peer, 20_001);
			assertThat(lastFrames(peer, 2)).containsExactly(20_000, 1);
			peer.settings(0x5, (1 << 24) - 1).play();
			send(peer, 5_000_000);
			assertThat(lastFrames(peer, 2)).containsExactly(32 * 1024, 5_000_000 % (32 * 1024));
			peer.settings(0x5, 16384).play();
			send(peer, 16385);
			assertThat(lastFrames(peer, 2)).containsExactly(16384, 1);
		}
	}

	private void send(ScriptedPeer peer, int bytes) {
		peer.loop.enter(() -> this.service.onlyCall().send(new byte[bytes - PREFIX]));
		peer.settle();
	}

	private static int[] lastFrames(ScriptedPeer peer, int count) {
		int size = peer.oracle.frames().size();
		return peer.oracle.frames()
			.subList(size - count, size)
			.stream()
			.peek((frame) -> assertThat(frame).startsWith("DATA"))
			.mapToInt((frame) -> Integer.parseInt(frame.substring(frame.indexOf("length=") + 7)))
			.toArray();
	}

	/**
	 * Case B29.
	 */
	@Test
	void aCallIsReadyAgainOnceForEachTimeItWasNot() {
		int[] readies = new int[1];
		this.service.behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				readies[0]++;
				while (call.call.isReady()) {
					call.send(new byte[1019]);
				}
			}

		});
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 0)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			ServedCall call = this.service.onlyCall();
			assertThat(readies[0]).isOne();
			assertThat(call.sent.size()).as("32 KiB wait, and no more").isEqualTo(32 * 1024);
			peer.windowUpdate(1, 1024).play();
			assertThat(readies[0]).isEqualTo(2);
			assertThat(call.sent.size()).isEqualTo(33 * 1024);
			peer.windowUpdate(1, 1).play();
			assertThat(readies[0]).isEqualTo(3);
			peer.windowUpdate(1, 10).play();
			assertThat(readies[0]).as("it was ready all the time").isEqualTo(3);
		}
	}

	/**
	 * Case B29: a client that opens its window by 32 KiB at a time, from 65535 or from
	 * nothing.
	 */
	@ParameterizedTest
	@CsvSource({ "65535, false", "65535, true", "0, false", "0, true" })
	void fiveThousandMessagesComeInOrderThoughTheServiceHeedsReadiness(int window, boolean offLoop) {
		int messages = 5000;
		int[] next = new int[1];
		int[] readies = new int[1];
		int[] stops = new int[1];
		this.service.behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				readies[0]++;
				SendWindowTests.this.service.expect(call.call.isReady(), "onReady, and it is not ready");
				while (next[0] < messages && call.call.isReady()) {
					byte[] message = new byte[1024];
					message[0] = (byte) (next[0] >> 8);
					message[1] = (byte) next[0]++;
					call.send(message);
				}
				if (next[0] < messages) {
					stops[0]++;
				}
				else if (call.closed == null) {
					call.close(Status.OK);
				}
			}

		});
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(0x4, window)) {
			peer.lastHeaders(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			assertThat(readies[0]).as("the first comes without any write").isPositive();
			while (!peer.stream(1).isOver()) {
				int buffered = next[0] * 1029 - peer.stream(1).body.size();
				assertThat(buffered).as("bytes that wait").isLessThan(32 * 1024 + 1029);
				peer.windowUpdate(1, 32 * 1024).windowUpdate(0, 32 * 1024).play();
			}
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).messages()).hasSize(messages);
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(this.service.onlyCall().sent.toByteArray());
			assertThat(readies[0]).as("one for each time it was not ready, and the first").isEqualTo(stops[0] + 1);
		}
		this.service.verify();
	}

	/**
	 * Case B38 (c).
	 */
	@Test
	void aSocketThatTakesNothingStopsServicesAndNotForEver() {
		int[] readies = new int[1];
		this.service.behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				readies[0]++;
				while (call.call.isReady() && call.sent.size() < 4 << 20) {
					call.send(new byte[10_000]);
				}
			}

		});
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 24)) {
			peer.windowUpdate(0, 1 << 24).play();
			peer.channel.socketTakes(0);
			peer.headers(1, ScriptedPeer.request("/t.Raw/ServerStream")).play();
			ServedCall call = this.service.onlyCall();
			assertThat(call.sent.size()).as("bytes in memory").isLessThan(400_000);
			assertThat(call.call.isReady()).isFalse();
			int before = call.sent.size();
			peer.settle();
			assertThat(call.sent.size()).isEqualTo(before);
			peer.channel.socketTakes(Long.MAX_VALUE);
			peer.settle();
			assertThat(call.sent.size()).isGreaterThanOrEqualTo(4 << 20);
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(call.sent.toByteArray());
			assertThat(readies[0]).isGreaterThan(1);
		}
	}

}
