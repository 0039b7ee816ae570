package dev.grpcloop.engine.http2;

import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A peer that asks for one small answer at a time and reads none (case B38 c): what the
 * server holds for it is what the limits count, not a buffer for each of them.
 */
class WaitingAnswersTests {

	private static final int QUESTIONS = 500;

	/**
	 * What was written before the socket was full, and one buffer that is being filled.
	 */
	private static final int BUFFERS = 16 * 1024;

	static Stream<Arguments> questions() {
		return Stream.of(
				question("unknown methods", (peer, id) -> peer.lastHeaders(id, ScriptedPeer.request("/t.Nope/Unary"))),
				question("requests that are refused", (peer, id) -> {
					String[] get = ScriptedPeer.request("/t.Echo/Unary");
					get[1] = "GET";
					peer.lastHeaders(id, get);
				}), question("malformed requests", (peer, id) -> peer.lastHeaders(id, ":method", "POST")),
				question("small calls", (peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Unary"))
					.lastData(id, ScriptedPeer.ABC)),
				question("settings", (peer, id) -> peer.settings()));
	}

	private static Arguments question(String name, ObjIntConsumer<ScriptedPeer> ask) {
		return arguments(name, ask);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("questions")
	void holdLittleMoreThanTheirLength(String name, ObjIntConsumer<ScriptedPeer> ask) {
		try (ScriptedPeer peer = ScriptedPeer.of(new ScriptedService()).connected()) {
			peer.channel.socketTakes(0);
			for (int id = 1; id < 2 * QUESTIONS; id += 2) {
				ask.accept(peer, id);
				peer.play();
			}
			assertThat(peer.isLeft()).isFalse();
			long waiting = peer.channel.bytesThatWait();
			assertThat(waiting).as("each read was answered").isGreaterThan(QUESTIONS * 9L);
			assertThat(peer.channel.allocatedBytes()).isLessThan(waiting + BUFFERS);
			peer.channel.socketTakes(Long.MAX_VALUE);
			peer.play();
			assertThat(peer.oracle.isBetweenFrames()).isTrue();
			assertThat(peer.connection().streams().isEmpty()).as("all were answered").isTrue();
		}
	}

}
