package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where reads and frames begin and end means nothing (case B01).
 */
class FragmentationTests {

	private static final int[] STREAMS = { 1, 3, 5, 7, 9, 11 };

	/**
	 * Case B01 (a).
	 */
	@Test
	void aMessageMayComeInOneFrameForEachByte() {
		ScriptedService service = new ScriptedService();
		try (ScriptedPeer peer = ScriptedPeer.of(service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"));
			for (int i = 0; i < ScriptedPeer.ABC.length; i++) {
				if (i < ScriptedPeer.ABC.length - 1) {
					peer.data(1, new byte[] { ScriptedPeer.ABC[i] });
				}
				else {
					peer.lastData(1, ScriptedPeer.ABC[i]);
				}
			}
			peer.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x01, 0x0102, 0x010203 })
	void aPrefixMayBeCutAnywhere(int length) {
		byte[] message = ScriptedPeer.message(new byte[length]);
		for (int cut = 1; cut <= 6; cut++) {
			ScriptedService service = new ScriptedService();
			try (ScriptedPeer peer = ScriptedPeer.of(service).connected(0x4, 1 << 20)) {
				peer.headers(1, ScriptedPeer.request("/t.Raw/Unary"))
					.data(1, Arrays.copyOf(message, cut))
					.message(1, Arrays.copyOfRange(message, cut, message.length))
					.lastData(1)
					.windowUpdate(0, 1 << 20)
					.play();
				assertThat(peer.stream(1).status()).as("cut after " + cut).isZero();
				assertThat(peer.stream(1).body.toByteArray()).isEqualTo(message);
			}
		}
	}

	/**
	 * Case B01 (b).
	 */
	@Test
	void oneFrameMayHoldManyMessagesAndPartsOfThem() {
		ScriptedService service = new ScriptedService();
		try (ScriptedPeer peer = ScriptedPeer.of(service).connected()) {
			byte[] abc = ScriptedPeer.ABC;
			byte[] three = RawHpack.concat(abc, ScriptedPeer.message(new byte[0]), abc);
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"))
				.data(1, three)
				.data(1, RawHpack.concat(abc, Arrays.copyOf(abc, 3)))
				.data(1, new byte[0])
				.lastData(1, Arrays.copyOfRange(abc, 3, abc.length))
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(RawHpack.concat(three, abc, abc));
		}
	}

	/**
	 * Case B01 (c).
	 */
	@Test
	void paddingMayCutAPrefix() {
		ScriptedService service = new ScriptedService();
		try (ScriptedPeer peer = ScriptedPeer.of(service).limits(10, 65535, 8192).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary"))
				.paddedData(1, 0, Arrays.copyOf(ScriptedPeer.ABC, 3), 100)
				.paddedData(1, 0, new byte[0], 255)
				.paddedData(1, 0, Arrays.copyOfRange(ScriptedPeer.ABC, 3, 9), 0)
				.paddedData(1, ScriptedPeer.END_STREAM, Arrays.copyOfRange(ScriptedPeer.ABC, 9, 10), 7)
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).body.toByteArray()).isEqualTo(ScriptedPeer.ABC);
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(65535);
		}
	}

	/**
	 * Case B01 (d).
	 */
	@Test
	void aConversationCutAtAnyPointIsTheSame() {
		Map<String, Object> whole = outcome((peer) -> peer.play());
		int length = scriptLength();
		for (int cut = 1; cut < length; cut++) {
			int at = cut;
			assertThat(outcome((peer) -> peer.playCutAt(at))).as("cut at byte " + cut + " of " + length)
				.isEqualTo(whole);
		}
	}

	/**
	 * Case B01 (d).
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 8, 9, 10, 13, 23, 24, 25, 64, 100, 1000 })
	void aConversationInPiecesOfAnyLengthIsTheSame(int length) {
		assertThat(outcome((peer) -> peer.playInPieces(length))).isEqualTo(outcome((peer) -> peer.play()));
	}

	/**
	 * Case B01 (e).
	 */
	@Test
	void parallelStreamsOfLargeMessagesAreEchoedHoweverTheyAreCut() {
		for (long seed = 0; seed < 5; seed++) {
			Random random = new Random(seed);
			ScriptedService service = new ScriptedService();
			try (ScriptedPeer peer = ScriptedPeer.of(service).connected(0x4, 1 << 24)) {
				peer.windowUpdate(0, 1 << 24);
				Map<Integer, byte[]> messages = new HashMap<>();
				for (int id = 1; id < 16; id += 2) {
					byte[] message = new byte[128 * 1024 - random.nextInt(1000)];
					random.nextBytes(message);
					messages.put(id, ScriptedPeer.message(message));
					peer.headers(id, ScriptedPeer.request("/t.Raw/Bidi"));
				}
				peer.play();
				for (int offset = 0; offset < 128 * 1024 + 5; offset += 16384) {
					for (int id = 1; id < 16; id += 2) {
						byte[] message = messages.get(id);
						if (offset < message.length) {
							peer.data(id,
									Arrays.copyOfRange(message, offset, Math.min(message.length, offset + 16384)));
						}
					}
					int rest = peer.scriptLength();
					while (rest > 0) {
						int cut = Math.min(rest, 1 + random.nextInt(17_000));
						peer.playOnly(cut);
						rest -= cut;
					}
				}
				for (int id = 1; id < 16; id += 2) {
					assertThat(peer.stream(id).body.toByteArray()).as("seed " + seed).isEqualTo(messages.get(id));
					peer.lastData(id).play();
					assertThat(peer.stream(id).status()).isZero();
				}
				assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			}
		}
	}

	private static int scriptLength() {
		try (ScriptedPeer peer = ScriptedPeer.of(new ScriptedService()).accepted()) {
			conversation(peer);
			return peer.scriptLength();
		}
	}

	/**
	 * A bit of everything: fragmented and repeated headers, padding, empty frames, pings,
	 * settings, window updates, trailers, a refusal, a reset, a malformed request.
	 */
	private static void conversation(ScriptedPeer peer) {
		byte[] abc = ScriptedPeer.ABC;
		byte[] unary = RawHpack.insertingBlock(ScriptedPeer.request("/t.Echo/Unary", "x-a", "1", "a-bin", "q6s"));
		peer.preface()
			.settings(0x4, 20, 0x1, 100)
			.settingsAck()
			.headers(1, 0, unary)
			.lastData(1, abc)
			.fragmentedHeaders(3, 0, RawHpack.block(ScriptedPeer.request("/t.Raw/Bidi", "x-b", "y".repeat(150))), 1, 20)
			.paddedData(3, 0, Arrays.copyOf(abc, 3), 9)
			.ping(0x1122334455667788L)
			.data(3, new byte[0])
			.data(3, RawHpack.concat(Arrays.copyOfRange(abc, 3, 10), abc, Arrays.copyOf(abc, 7)))
			.windowUpdate(0, 1000)
			.windowUpdate(3, 100)
			.settings(0x1, 0)
			.settings(0x1, 4096, 0x4, 1000)
			.paddedData(3, 0, Arrays.copyOfRange(abc, 7, 10), 0)
			.lastHeaders(3, "x-trailer", "ignored")
			.headers(5, ScriptedPeer.END_STREAM, RawHpack.block(ScriptedPeer.request("/t.Nope/Unary")))
			.headers(7, ":method", "GET", ":scheme", "http", ":path", "/", "content-type", "text/html")
			.lastData(7, (byte) 1, (byte) 2)
			.lastHeaders(9, "X-Malformed", "")
			.headers(11, ScriptedPeer.request("/t.Raw/Bidi"))
			.data(11, Arrays.copyOf(abc, 8))
			.reset(11, 8)
			.ping(-1);
	}

	private static Map<String, Object> outcome(Consumer<ScriptedPeer> play) {
		ScriptedService service = new ScriptedService();
		service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(1);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				call.send(message);
				call.request(1);
			}

			@Override
			public void halfClosed(ServedCall call) {
				Metadata trailers = new Metadata();
				trailers.merge(call.metadata);
				call.close(Status.OK.withDescription("received " + call.received.size()), trailers);
			}

		});
		Map<String, Object> outcome = new HashMap<>();
		try (ScriptedPeer peer = ScriptedPeer.of(service).accepted()) {
			conversation(peer);
			play.accept(peer);
			for (int id : STREAMS) {
				WireStream stream = peer.stream(id);
				outcome.put("headers " + id, stream.headers);
				outcome.put("body " + id, Arrays.toString(stream.body.toByteArray()));
				outcome.put("trailers " + id, stream.trailers);
				outcome.put("phase " + id, stream.phase);
				outcome.put("reset " + id, stream.resetCode);
			}
			List<String> calls = new ArrayList<>();
			service.calls.forEach((call) -> calls.add(call.toString() + call.metadata.keys()));
			outcome.put("calls", calls);
			outcome.put("pings", peer.oracle.pingAcks());
			outcome.put("acknowledged", peer.oracle.settingsAcks());
			outcome.put("credit", peer.connection().inboundFlow().creditWithPending());
			outcome.put("closed", peer.telemetry.callsClosed);
			assertThat(peer.isLeft()).isFalse();
			service.verify();
		}
		return outcome;
	}

}
