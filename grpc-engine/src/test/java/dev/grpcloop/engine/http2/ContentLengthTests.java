package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What a request says of its length is true, or the request is malformed (RFC 9113
 * section 8.1.1): on a new connection, and when the header block is one that the
 * connection remembers.
 */
class ContentLengthTests {

	private static final int PROTOCOL_ERROR = 1;

	/** The message of {@link ScriptedPeer#ABC} with its prefix. */
	private static final String LENGTH = "10";

	private static final byte[] ABC = ScriptedPeer.ABC;

	/** Each block is sent that often on a connection. */
	private static final int[] IDS = { 1, 3, 5 };

	private final ScriptedService service = new ScriptedService();

	private static String[] request(String... lengths) {
		String[] more = new String[2 * lengths.length];
		for (int i = 0; i < lengths.length; i++) {
			more[2 * i] = "content-length";
			more[2 * i + 1] = lengths[i];
		}
		return ScriptedPeer.request("/t.Echo/Unary", more);
	}

	static Stream<Arguments> bodies() {
		byte[] half = Arrays.copyOf(ABC, 4);
		byte[] rest = Arrays.copyOfRange(ABC, 4, ABC.length);
		return Stream.of(body("as many", true, (body) -> body.data(0, ABC).end()),
				body("as many, in the last frame", true, (body) -> body.data(ScriptedPeer.END_STREAM, ABC)),
				body("as many, in two frames", true, (body) -> body.data(0, half).data(0, rest).end()),
				body("as many, and trailers", true, (body) -> body.data(0, ABC).trailers()),
				body("as many, and padding", true,
						(body) -> body.padded(0, half, 7).padded(ScriptedPeer.END_STREAM, rest, 200)),
				body("none, and trailers", false, Body::trailers), body("none", false, Body::end),
				body("fewer", false, (body) -> body.data(ScriptedPeer.END_STREAM, half)),
				body("fewer, and an empty frame", false, (body) -> body.data(0, half).end()),
				body("fewer, and trailers", false, (body) -> body.data(0, half).trailers()),
				body("fewer, made up for by padding", false, (body) -> body.padded(ScriptedPeer.END_STREAM, half, 5)),
				body("more", false, (body) -> body.data(0, ABC).data(0, new byte[1])),
				body("more, in the last frame", false,
						(body) -> body.data(ScriptedPeer.END_STREAM, Arrays.copyOf(ABC, 11))),
				body("more than all that was said, at once", false, (body) -> body.data(0, new byte[1000])));
	}

	private static Arguments body(String name, boolean right, Consumer<Body> frames) {
		return arguments(name, right, frames);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("bodies")
	void theBodyHasAsManyBytesAsWasSaid(String name, boolean right, Consumer<Body> frames) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id : IDS) {
				peer.headers(id, request(LENGTH));
				frames.accept(new Body(peer, id));
				peer.play();
				verify(peer, id, right);
			}
			assertThat(this.service.calls).hasSize(IDS.length);
			assertThat(this.service.calls).allSatisfy((call) -> {
				assertThat(call.completed).isEqualTo(right);
				assertThat(call.cancelled).isNotEqualTo(right);
				assertThat(call.events.contains("halfClose")).isEqualTo(right);
			});
			goesOn(peer);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "00", "000000000000000000" })
	void aRequestThatEndsWithItsHeadersHasNoLength(String length) {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id : IDS) {
				peer.lastHeaders(id, request(length)).play();
				assertThat(peer.stream(id).isReset()).isFalse();
			}
			assertThat(this.service.calls).hasSize(IDS.length);
			for (int id : IDS) {
				peer.reset(id, 8);
			}
			this.service.behaves(Behaviour.ECHO);
			goesOn(peer.play());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", LENGTH, "999999999999999999" })
	void aRequestThatEndsWithItsHeadersAndHasALengthIsMalformed(String length) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id : IDS) {
				peer.lastHeaders(id, request(length)).play();
				verify(peer, id, false);
			}
			assertThat(this.service.calls).isEmpty();
			goesOn(peer);
		}
	}

	/**
	 * Nothing but digits, and not more than a length can have: it must not wrap around.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "", "-10", "+10", "-0", "abc", "1e1", "0x0a", " 10", "10 ", "1 0", "10,10", "10.0",
			"\u00b9", "9223372036854775807", "9223372036854775808", "18446744073709551626", "00000000000000000010" })
	void aLengthThatIsNoNumberIsMalformed(String length) {
		verifyMalformed(request(length));
	}

	@ParameterizedTest
	@ValueSource(strings = { "10 11", "11 10", "10 0", "0 10", "10 10 11", "10 x" })
	void lengthsThatDifferAreMalformed(String lengths) {
		verifyMalformed(request(lengths.split(" ")));
	}

	private void verifyMalformed(String[] fields) {
		for (boolean inserting : new boolean[] { false, true }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
				for (int id : IDS) {
					peer.headers(id, 0, inserting ? RawHpack.insertingBlock(fields) : RawHpack.block(fields))
						.lastData(id, ABC)
						.play();
					verify(peer, id, false);
				}
				assertThat(this.service.calls).isEmpty();
				goesOn(peer);
				this.service.calls.clear();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "10 10", "10 010", "10 10 10" })
	void lengthsThatAreTheSameAreOne(String lengths) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			for (int id : IDS) {
				peer.headers(id, request(lengths.split(" "))).lastData(id, ABC).play();
				verify(peer, id, true);
			}
			goesOn(peer);
		}
	}

	private static void verify(ScriptedPeer peer, int id, boolean right) {
		WireStream stream = peer.stream(id);
		if (right) {
			assertThat(stream.isReset()).isFalse();
			assertThat(stream.status()).isZero();
		}
		else {
			assertThat(stream.resetCode).isEqualTo(PROTOCOL_ERROR);
			assertThat(stream.status()).as("no status").isEqualTo(-1);
		}
	}

	private static void goesOn(ScriptedPeer peer) {
		assertThat(peer.oracle.goAways()).isEmpty();
		peer.servesACall(99);
		assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
	}

	/**
	 * The frames of a request after its headers.
	 */
	private record Body(ScriptedPeer peer, int id) {

		Body data(int flags, byte[] bytes) {
			if (flags == 0) {
				this.peer.data(this.id, bytes);
			}
			else {
				this.peer.lastData(this.id, bytes);
			}
			return this;
		}

		Body padded(int flags, byte[] bytes, int padding) {
			this.peer.paddedData(this.id, flags, bytes, padding);
			return this;
		}

		Body end() {
			this.peer.lastData(this.id);
			return this;
		}

		Body trailers() {
			this.peer.lastHeaders(this.id, "x-end", "1");
			return this;
		}

	}

}
