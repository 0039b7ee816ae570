package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Floods of frames that are legal one by one (CVE-2019-9515, -9518; case B37).
 */
class FrameFloodTests {

	private static final int PRIORITY_UPDATE = 0x10;

	private final ScriptedService service = new ScriptedService();

	/**
	 * Case B37 b.
	 */
	@Test
	void settingsWithoutEndEndTheConnection() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int i = 0; i < 100_000; i++) {
				peer.settings();
			}
			peer.play();
			assertTripped(peer, Guard.SETTINGS_FLOOD);
			assertThat(peer.oracle.settingsAcks()).isEqualTo(AbuseLimits.DEFAULT.settings());
		}
	}

	@Test
	void asManySettingsAsTheBudgetAreAcknowledged() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int i = 1; i < AbuseLimits.DEFAULT.settings(); i++) {
				peer.settings(0x4, 65535 + i);
			}
			peer.play();
			assertThat(peer.oracle.settingsAcks()).isEqualTo(AbuseLimits.DEFAULT.settings());
			assertAlive(peer, 1);
		}
	}

	/**
	 * Case B37 e.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aHundredThousandEntriesOfSettingsAreIgnored(boolean unknown) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			int[] entries = new int[2 * 2700];
			for (int frame = 0; frame < 37; frame++) {
				for (int i = 0; i < entries.length; i += 2) {
					entries[i] = unknown ? 0x1000 + i : 0x6;
					entries[i + 1] = 1_000_000 + i;
				}
				peer.settings(entries);
			}
			peer.play();
			assertAlive(peer, 1);
		}
	}

	/**
	 * Identifiers that all fall on each other in the reader's table.
	 */
	@Test
	void settingsThatAreExpensiveToReadCountForMany() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			int[] entries = new int[2 * 2700];
			for (int i = 0; i < entries.length; i += 2) {
				entries[i] = 0x1000 + i;
			}
			for (int frame = 0; frame < 50; frame++) {
				peer.settings(entries);
			}
			peer.play();
			assertTripped(peer, Guard.SETTINGS_FLOOD);
		}
	}

	/**
	 * Case B37 c.
	 */
	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 255 })
	void aThousandEmptyDataFramesEndTheConnection(int padding) {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi"));
			for (int i = 0; i < 1000; i++) {
				emptyData(peer, 1, padding);
			}
			peer.play();
			assertTripped(peer, Guard.EMPTY_FRAMES);
			assertThat(this.service.onlyCall().events).endsWith("cancel");
		}
	}

	@Test
	void emptyDataFramesOnManyStreamsCountTogether() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id = 1; id < 200; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi"));
				emptyData(peer, id, -1);
			}
			peer.headers(201, ScriptedPeer.request("/t.Echo/Bidi")).play();
			assertThat(peer.telemetry.guards).isEmpty();
			emptyData(peer, 201, -1);
			peer.play();
			assertTripped(peer, Guard.EMPTY_FRAMES);
		}
	}

	/**
	 * Case B37 c.
	 */
	@Test
	void anEmptyDataFrameBetweenTwoMessagesIsLegal() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).data(1, ScriptedPeer.ABC);
			emptyData(peer, 1, -1);
			peer.data(1, ScriptedPeer.ABC).lastData(1).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).messages()).hasSize(2);
			assertAlive(peer, 3);
		}
	}

	@Test
	void emptyDataFramesThatEndTheirStreamsAreOrdinary() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id = 1; id < 2000; id += 2) {
				peer.headers(id, ScriptedPeer.request("/t.Echo/Unary")).data(id, ScriptedPeer.ABC).lastData(id);
			}
			peer.play();
			assertAlive(peer, 2001);
		}
	}

	private static void emptyData(ScriptedPeer peer, int streamId, int padding) {
		if (padding < 0) {
			peer.data(streamId, new byte[0]);
		}
		else {
			peer.paddedData(streamId, 0, new byte[0], padding);
		}
	}

	static Stream<Arguments> idleFrames() {
		return Stream.of(idle("PRIORITY", (peer) -> peer.frame(Http2FrameTypes.PRIORITY, 0, 5, new byte[5])),
				idle("an unknown frame", (peer) -> peer.frame(0x77, 0xff, 3, new byte[3])),
				idle("an unknown frame without payload", (peer) -> peer.frame(0xff, 0, 0)),
				idle("PRIORITY_UPDATE",
						(peer) -> peer.frame(PRIORITY_UPDATE, 0, 0, ByteBuffer.allocate(8).putInt(1).array())),
				idle("SETTINGS acknowledged again", ScriptedPeer::settingsAck),
				idle("an answer to no PING", (peer) -> peer.pingAck(7)),
				idle("GOAWAY", (peer) -> peer.frame(Http2FrameTypes.GO_AWAY, 0, 0, new byte[8])),
				idle("WINDOW_UPDATE of the connection", (peer) -> peer.windowUpdate(0, 1)),
				idle("WINDOW_UPDATE of a stream", (peer) -> peer.windowUpdate(1, 1)),
				idle("WINDOW_UPDATE of a stream that is gone", (peer) -> peer.windowUpdate(3, 1)),
				idle("trailers of a stream that is gone",
						(peer) -> peer.frame(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS, 3, (byte) 0xbe)));
	}

	private static Arguments idle(String name, Consumer<ScriptedPeer> frame) {
		return arguments(name, frame);
	}

	/**
	 * Case B37 d.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("idleFrames")
	void aHundredThousandFramesThatChangeNothingAreIgnoredAndAThirdMoreEndTheConnection(String name,
			Consumer<ScriptedPeer> frame) {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			// a field of the static table with a value of its own enters the table as 62
			peer.headers(1, 0, RawHpack.concat(RawHpack.block(ScriptedPeer.request("/t.Echo/Bidi")),
					RawHpack.insertingBlock("x-a", "b")));
			peer.headers(3, ScriptedPeer.request("/t.Echo/Bidi")).play();
			this.service.call(1).call.close(io.grpc.Status.OK, new io.grpc.Metadata());
			peer.settle();
			flood(peer, frame, 100_000);
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, 5);
			flood(peer, frame, 33_000);
			assertTripped(peer, Guard.CONTROL_FLOOD);
		}
	}

	private static void flood(ScriptedPeer peer, Consumer<ScriptedPeer> frame, int count) {
		for (int i = 0; i < count && !peer.isLeft(); i++) {
			frame.accept(peer);
			if (i % 1000 == 0) {
				peer.play();
			}
		}
		peer.play();
	}

	/**
	 * A client that reads fast answers each DATA frame with one WINDOW_UPDATE for the
	 * stream and one for the connection.
	 */
	@Test
	void windowUpdatesForWhatWasSentAreFree() {
		byte[] message = new byte[16 * 1024 - 5];
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/ServerStream")).lastData(1, ScriptedPeer.ABC).play();
			ServedCall call = this.service.onlyCall();
			for (int i = 0; i < 70_000; i++) {
				peer.loop.enter(() -> call.send(message));
				peer.settle();
				peer.stream(1).body.reset();
				call.sent.reset();
				peer.windowUpdate(0, 16 * 1024).windowUpdate(1, 16 * 1024).play();
			}
			assertThat(peer.telemetry.messagesSent).isEqualTo(70_000);
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, 3);
		}
	}

	/**
	 * curl opens the window of each stream it opens.
	 */
	@Test
	void windowUpdatesForStreamsThatWereOpenedAreFree() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			int streamId = 1;
			for (int round = 0; round < 140; round++) {
				for (int i = 0; i < 1000; i++) {
					peer.lastHeaders(streamId, ScriptedPeer.request("/t.Echo/Nothing")).windowUpdate(streamId, 1);
					streamId += 2;
				}
				peer.play();
			}
			assertAlive(peer, streamId);
		}
	}

	/**
	 * A client counts for what it has opened, and not for the number it gives it.
	 */
	@Test
	void theLargestStreamIdAllowsForNoMoreWindowUpdates() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(Integer.MAX_VALUE, ScriptedPeer.request("/t.Echo/Bidi")).play();
			flood(peer, (client) -> client.windowUpdate(0, 1), AbuseLimits.DEFAULT.controlFrames() + 10);
			assertThat(peer.telemetry.guards).containsExactly(Guard.CONTROL_FLOOD);
		}
	}

	@Test
	void streamsWithoutEndAfterGoAwayEndTheConnection() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi")).play();
			peer.connection().shutdown();
			peer.settle();
			peer.pingAck(peer.oracle.pings().get(0)).play();
			assertThat(peer.oracle.goAways()).as("GOAWAY frames of a shutdown").hasSize(2);
			int[] next = { 3 };
			byte[] block = RawHpack.block(ScriptedPeer.request("/t.Echo/Bidi"));
			flood(peer, (client) -> {
				client.headers(next[0], 0, block);
				next[0] += 2;
			}, AbuseLimits.DEFAULT.controlFrames() + 10);
			assertThat(peer.telemetry.guards).containsExactly(Guard.CONTROL_FLOOD);
			assertThat(peer.isLeft()).isTrue();
		}
	}

}
