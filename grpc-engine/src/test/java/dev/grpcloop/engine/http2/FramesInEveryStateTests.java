package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Every type of frame on a stream in every state (RFC 9113 section 5.1).
 */
class FramesInEveryStateTests {

	/**
	 * What becomes of a frame: {@code works} means that something changes by it,
	 * {@code -} that nothing does, {@code stream 5} that the stream ends with that error
	 * or, if it has ended already, that RST_STREAM says so, {@code conn 1} that the
	 * connection ends with that error. The last column names the section of RFC 9113.
	 */
	private static final String REACTIONS = """
			frame          | IDLE     | OPEN     | REMOTE   | LOCAL    | BOTH     | CANCELLED | STOPPED | REFUSED | FORGOTTEN | SKIPPED | GONE_AWAY | section
			DATA           | conn 1   | works    | stream 5 | -        | stream 5 | stream 5  | -       | -       | conn 5    | conn 5  | conn 5    | 5.1, 6.1
			DATA_END       | conn 1   | works    | stream 5 | works    | stream 5 | stream 5  | -       | -       | conn 5    | conn 5  | conn 5    | 5.1, 6.1
			REQUEST        | works    | stream 1 | stream 5 | stream 1 | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | -         | 5.1.1, 8.1
			REQUEST_END    | works    | stream 1 | stream 5 | stream 1 | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | -         | 5.1.1, 8.1
			FIELDS         | stream 1 | stream 1 | stream 5 | stream 1 | stream 5 | stream 5  | -       | -       | -         | -       | -         | 8.1
			TRAILERS       | stream 1 | works    | stream 5 | works    | stream 5 | stream 5  | -       | -       | -         | -       | -         | 8.1
			PRIORITY       | -        | -        | -        | -        | -        | -         | -       | -       | -         | -       | -         | 5.3.2, 6.3
			RST_STREAM     | conn 1   | works    | works    | works    | -        | -         | -       | -       | -         | -       | -         | 6.4
			WINDOW_UPDATE  | conn 1   | works    | works    | -        | -        | -         | -       | -       | -         | -       | -         | 6.9
			WINDOW_UPDATE0 | conn 1   | stream 1 | stream 1 | stream 1 | stream 1 | stream 1  | -       | -       | -         | -       | -         | 6.9
			LARGEST_UPDATE | conn 1   | works    | works    | stream 3 | -        | -         | -       | -       | -         | -       | -         | 6.9.1
			CONTINUATION   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | conn 1    | 6.10
			PUSH_PROMISE   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | conn 1    | 8.4
			SETTINGS       | conn 1   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | conn 1    | 6.5
			PING           | conn 1   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | conn 1    | 6.7
			GOAWAY         | conn 1   | conn 1   | conn 1   | conn 1   | conn 1   | conn 1    | conn 1  | conn 1  | conn 1    | conn 1  | conn 1    | 6.8
			UNKNOWN        | -        | -        | -        | -        | -        | -         | -       | -       | -         | -       | -         | 5.5
			SETTINGS_ON_0  | works    | works    | works    | works    | works    | works     | works   | works   | works     | works   | works     | 6.5
			PING_ON_0      | works    | works    | works    | works    | works    | works     | works   | works   | works     | works   | works     | 6.7
			GOAWAY_ON_0    | -        | -        | -        | -        | -        | -         | -       | -       | -         | -       | -         | 6.8
			""";

	private static final int ID = 7;

	/** Above all streams that a state needs. */
	private static final int NEXT_ID = 101;

	private static final int WINDOW = 65535;

	private static final int MAX_STREAMS = 2;

	private final ScriptedService service = new ScriptedService();

	static Stream<Arguments> reactions() {
		List<List<String>> table = REACTIONS.lines()
			.map((line) -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
			.toList();
		List<String> states = table.get(0);
		List<Arguments> cells = new ArrayList<>();
		for (List<String> row : table.subList(1, table.size())) {
			for (int column = 1; column < row.size() - 1; column++) {
				cells.add(arguments(State.valueOf(states.get(column)), Frame.valueOf(row.get(0)), row.get(column),
						row.get(row.size() - 1)));
			}
		}
		assertThat(cells).as("every frame in every state").hasSize(State.values().length * Frame.values().length);
		return cells.stream();
	}

	@ParameterizedTest(name = "{0}: {1}: {2} (RFC 9113 section {3})")
	@MethodSource("reactions")
	void everyFrameInEveryState(State state, Frame frame, String reaction, String section) {
		this.service.behaves(new Waiting());
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(MAX_STREAMS, WINDOW, 8192).connected(0x4, 0)) {
			peer.oracle.expectsHostility();
			state.enter(peer, this.service);
			peer.play();
			int resets = resets(peer);
			int goAways = peer.oracle.goAways().size();
			assertThat(peer.isLeft()).as("the connection is there").isFalse();
			List<String> before = snapshot(peer);
			frame.send(peer);
			peer.play();
			List<String> after = snapshot(peer);
			if (reaction.startsWith("conn")) {
				assertThat(peer.oracle.goAways()).hasSize(goAways + 1);
				assertThat(peer.oracle.goAways().get(goAways).errorCode()).isEqualTo(code(reaction));
				assertThat(peer.isLeft()).isTrue();
				assertThat(resets(peer)).isEqualTo(resets);
				return;
			}
			assertThat(peer.oracle.goAways()).hasSize(goAways);
			if (reaction.startsWith("stream")) {
				assertThat(resets(peer)).isEqualTo(resets + 1);
				assertThat(resetCode(peer)).isEqualTo(code(reaction));
				assertThat(peer.connection().streams().containsKey(ID)).isFalse();
			}
			else {
				assertThat(resets(peer)).as("RST_STREAM frames").isEqualTo(resets);
				assertThat(after.equals(before)).as("nothing has changed: %s", after).isEqualTo(reaction.equals("-"));
			}
			goesOn(peer, state);
		}
	}

	private static int code(String reaction) {
		return Integer.parseInt(reaction.substring(reaction.length() - 1));
	}

	private static int resets(ScriptedPeer peer) {
		return (int) peer.oracle.frames()
			.stream()
			.filter((frame) -> frame.startsWith("RST_STREAM stream=" + ID + " "))
			.count();
	}

	private static long resetCode(ScriptedPeer peer) {
		return peer.stream(ID).lastResetCode;
	}

	/**
	 * What the client and the service can tell.
	 */
	private List<String> snapshot(ScriptedPeer peer) {
		List<String> snapshot = new ArrayList<>(peer.oracle.frames());
		this.service.calls.forEach((call) -> snapshot.add(call.events.toString()));
		peer.connection().streams().forEach((id, stream) -> snapshot.add(id + " " + stream.state()));
		return snapshot;
	}

	private void goesOn(ScriptedPeer peer, State state) {
		for (Integer id : peer.connection().streams().keySet().toArray(new Integer[0])) {
			peer.reset(id, 8);
		}
		peer.play();
		assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(WINDOW);
		if (state != State.GONE_AWAY) {
			this.service.behaves(Behaviour.ECHO);
			peer.settings(0x4, WINDOW).windowUpdate(0, WINDOW).servesACall(NEXT_ID);
		}
	}

	/**
	 * Takes all messages, and sends one that waits for credit.
	 */
	private static final class Waiting implements Behaviour {

		@Override
		public void started(ServedCall call) {
			call.request(Integer.MAX_VALUE);
			call.send(new byte[100]);
		}

	}

	/**
	 * What has happened on the stream, and on others.
	 */
	enum State {

		/** Nothing, and a stream before it was used. */
		IDLE {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(1, CALL).reset(1, 8);
			}

		},

		/** Neither side has ended. */
		OPEN {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(ID, CALL);
			}

		},

		/** The client has ended its side: half-closed (remote). */
		REMOTE {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(ID, CALL).lastData(ID);
			}

		},

		/** The server has ended its side: half-closed (local). */
		LOCAL {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				String[] get = CALL.clone();
				get[1] = "GET";
				peer.headers(ID, get).windowUpdate(ID, WINDOW).play();
				assertThat(peer.connection().streams().get(ID).state()).isEqualTo(StreamState.HALF_CLOSED_LOCAL);
			}

		},

		/** Both sides have ended: closed. */
		BOTH {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				service.behaves(Behaviour.ECHO);
				peer.headers(ID, CALL).lastData(ID).play();
				service.behaves(new Waiting());
				assertThat(peer.stream(ID).status()).isZero();
			}

		},

		/** The client has sent RST_STREAM: closed. */
		CANCELLED {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(ID, CALL).reset(ID, 8);
			}

		},

		/** The server has sent its status and RST_STREAM: closed. */
		STOPPED {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(ID, CALL).windowUpdate(ID, WINDOW).play();
				peer.loop.enter(() -> service.onlyCall().close(Status.OK));
				peer.settle();
				assertThat(peer.stream(ID).resetAfterEnd).isTrue();
			}

		},

		/** There were too many streams: closed. */
		REFUSED {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				for (int i = 0; i < MAX_STREAMS; i++) {
					peer.headers(1 + 2 * i, CALL);
				}
				peer.headers(ID, CALL).play();
				assertThat(peer.stream(ID).resetCode).isEqualTo(REFUSED_STREAM);
				peer.reset(1, 8).reset(3, 8);
			}

		},

		/** Both sides have ended, many streams ago. */
		FORGOTTEN {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				BOTH.enter(peer, service);
				for (int id = ID + 2; id < NEXT_ID; id += 2) {
					peer.headers(id, CALL).reset(id, 8);
				}
			}

		},

		/** Nothing, and a stream after it was used: closed. */
		SKIPPED {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(ID + 2, CALL).reset(ID + 2, 8);
			}

		},

		/**
		 * Nothing, and the server has told that it will not be served: no HEADERS either.
		 */
		GONE_AWAY {

			@Override
			void enter(ScriptedPeer peer, ScriptedService service) {
				peer.headers(1, CALL).play();
				peer.connection().shutdown();
				peer.settle();
				peer.oracle.pings().forEach(peer::pingAck);
				peer.play();
				assertThat(peer.oracle.goAways()).hasSize(2).last().matches((goAway) -> goAway.lastStreamId() == 1);
			}

		};

		private static final int REFUSED_STREAM = 7;

		private static final String[] CALL = ScriptedPeer.request("/t.Raw/Bidi");

		abstract void enter(ScriptedPeer peer, ScriptedService service);

	}

	/**
	 * What the client sends then.
	 */
	enum Frame {

		DATA(Http2FrameTypes.DATA, 0, new byte[5]),

		DATA_END(Http2FrameTypes.DATA, FrameScript.END_STREAM, new byte[5]),

		REQUEST(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS, RawHpack.block(State.CALL)),

		REQUEST_END(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS | FrameScript.END_STREAM,
				RawHpack.block(State.CALL)),

		FIELDS(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS, RawHpack.block("x", "y")),

		TRAILERS(Http2FrameTypes.HEADERS, FrameScript.END_HEADERS | FrameScript.END_STREAM, RawHpack.block("x", "y")),

		PRIORITY(Http2FrameTypes.PRIORITY, 0, new byte[5]),

		RST_STREAM(Http2FrameTypes.RST_STREAM, 0, int32(8)),

		WINDOW_UPDATE(Http2FrameTypes.WINDOW_UPDATE, 0, int32(10)),

		WINDOW_UPDATE0(Http2FrameTypes.WINDOW_UPDATE, 0, int32(0)),

		LARGEST_UPDATE(Http2FrameTypes.WINDOW_UPDATE, 0, int32(Integer.MAX_VALUE)),

		CONTINUATION(Http2FrameTypes.CONTINUATION, FrameScript.END_HEADERS, new byte[0]),

		PUSH_PROMISE(Http2FrameTypes.PUSH_PROMISE, FrameScript.END_HEADERS, int32(2)),

		SETTINGS(Http2FrameTypes.SETTINGS, 0, new byte[0]),

		PING(Http2FrameTypes.PING, 0, new byte[8]),

		GOAWAY(Http2FrameTypes.GO_AWAY, 0, new byte[8]),

		UNKNOWN(0x77, 0xff, new byte[5]),

		SETTINGS_ON_0(Http2FrameTypes.SETTINGS, 0, new byte[0]),

		PING_ON_0(Http2FrameTypes.PING, 0, new byte[8]),

		GOAWAY_ON_0(Http2FrameTypes.GO_AWAY, 0, new byte[8]);

		private final int type;

		private final int flags;

		private final byte[] payload;

		Frame(int type, int flags, byte[] payload) {
			this.type = type;
			this.flags = flags;
			this.payload = payload;
		}

		void send(ScriptedPeer peer) {
			peer.oracle.sentHeaders(ID);
			switch (this) {
				case DATA, DATA_END -> peer.oracle.sentData(ID, this.payload.length);
				case RST_STREAM -> peer.oracle.sentReset(ID);
				case WINDOW_UPDATE, LARGEST_UPDATE ->
					peer.oracle.sentWindowUpdate(ID, ByteBuffer.wrap(this.payload).getInt());
				case SETTINGS_ON_0 -> peer.oracle.sentSettings();
				default -> {
					// of no concern to what the server may send
				}
			}
			boolean onConnection = name().endsWith("_ON_0");
			peer.frame(this.type, this.flags, onConnection ? 0 : ID, this.payload);
		}

		private static byte[] int32(int value) {
			return ByteBuffer.allocate(4).putInt(value).array();
		}

	}

}
