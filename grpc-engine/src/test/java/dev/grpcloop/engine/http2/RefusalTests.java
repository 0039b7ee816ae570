package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.WireStream.Phase;
import io.grpc.HandlerRegistry;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Requests that are good HTTP/2 and no calls that the server has: answered in the terms
 * of HTTP where they are none of gRPC, in the terms of gRPC where they are.
 */
class RefusalTests {

	private static final int UNKNOWN = 2;

	private static final int UNIMPLEMENTED = 12;

	private static final int INTERNAL = 13;

	private final ScriptedService service = new ScriptedService();

	static Stream<Arguments> refusals() {
		return Stream.of(refusal("no content type", 415, INTERNAL, without("content-type")),
				refusal("text/plain", 415, INTERNAL, with("content-type", "text/plain")),
				refusal("application/grpcfoo", 415, INTERNAL, with("content-type", "application/grpcfoo")),
				refusal("application/grpc-web+proto", 415, INTERNAL,
						with("content-type", "application/grpc-web+proto")),
				refusal("an empty content type", 415, INTERNAL, with("content-type", "")),
				refusal("GET", 405, INTERNAL, with(":method", "GET")),
				refusal("PUT", 405, INTERNAL, with(":method", "PUT")),
				refusal("post", 405, INTERNAL, with(":method", "post")),
				refusal("CONNECT", 405, INTERNAL, new String[] { ":method", "CONNECT", ":authority", "localhost:80" }),
				refusal("no leading slash", 404, UNIMPLEMENTED, with(":path", "t.Echo/Unary")),
				refusal("*", 404, UNIMPLEMENTED, with(":path", "*")),
				refusal("two hosts", 400, INTERNAL, replaced(":authority", "host", "a", "host", "b")));
	}

	private static Arguments refusal(String name, int httpStatus, int status, String[] fields) {
		return arguments(name, httpStatus, status, fields);
	}

	private static String[] without(String name) {
		return replaced(name);
	}

	private static String[] with(String name, String value) {
		String[] fields = ScriptedPeer.request("/t.Echo/Unary");
		fields[Arrays.asList(fields).indexOf(name) + 1] = value;
		return fields;
	}

	private static String[] replaced(String name, String... others) {
		List<String> fields = new ArrayList<>(Arrays.asList(ScriptedPeer.request("/t.Echo/Unary")));
		int index = fields.indexOf(name);
		fields.remove(index);
		fields.remove(index);
		fields.addAll(Arrays.asList(others));
		return fields.toArray(new String[0]);
	}

	/**
	 * Cases B09 (a) to (d) and (h), B10, B11 (b).
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("refusals")
	void isAnsweredInTheTermsOfBothProtocols(String name, int httpStatus, int status, String[] fields) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.lastHeaders(1, fields).play();
			WireStream stream = peer.stream(1);
			assertThat(stream.header(":status")).isEqualTo(String.valueOf(httpStatus));
			assertThat(stream.header("content-type")).isEqualTo("text/plain; charset=utf-8");
			assertThat(stream.header("grpc-status")).isEqualTo(String.valueOf(status));
			String body = stream.body.toString(StandardCharsets.UTF_8);
			assertThat(body).hasSizeGreaterThanOrEqualTo(5);
			assertThat(StatusText.decode(stream.header("grpc-message"))).isEqualTo(body);
			assertThat(stream.phase).isEqualTo(Phase.ENDED);
			assertThat(this.service.calls).isEmpty();
			assertThat(peer.connection().streams().isEmpty()).isTrue();
			peer.servesACall(3);
		}
	}

	/**
	 * Case B09 (e) to (g).
	 */
	@ParameterizedTest
	@ValueSource(strings = { "application/grpc+proto", "application/grpc;charset=utf-8", "Application/GRPC",
			"application/grpc" })
	void otherFormsOfTheContentTypeAreServed(String contentType) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, with("content-type", contentType)).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).header("content-type")).startsWith("application/grpc");
		}
	}

	/**
	 * Case B09: the answer comes before the request has ended, and more of it follows.
	 */
	@Test
	void whatTheClientStillSendsIsTakenAndRefunded() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(10, 65535, 8192).connected()) {
			peer.headers(1, with("content-type", "text/plain")).play();
			assertThat(peer.stream(1).phase).isEqualTo(Phase.ENDED);
			for (int i = 0; i < 64; i++) {
				peer.data(1, new byte[16384]).play();
				assertThat(peer.oracle.inboundWindow()).as("credit of the connection").isGreaterThanOrEqualTo(32767);
				assertThat(peer.stream(1).inboundWindow).as("credit of the stream").isGreaterThanOrEqualTo(32767);
			}
			peer.servesACall(3);
			assertThat(peer.connection().streams().size()).isOne();
			peer.lastData(1, (byte) 1).play();
			assertThat(peer.stream(1).isReset()).isFalse();
			assertThat(peer.connection().streams().isEmpty()).isTrue();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(65535);
			peer.servesACall(5);
		}
	}

	@Test
	void aClientThatGoesOnForMoreThanFiveSecondsIsStopped() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, with(":method", "PUT")).data(1, new byte[100]).play();
			peer.loop.advance(4999, TimeUnit.MILLISECONDS);
			peer.data(1, new byte[100]).play();
			assertThat(peer.stream(1).isReset()).isFalse();
			peer.loop.advance(1, TimeUnit.MILLISECONDS);
			peer.settle();
			assertThat(peer.stream(1).resetCode).isZero();
			assertThat(peer.connection().streams().isEmpty()).isTrue();
			peer.data(1, new byte[100]).play();
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.servesACall(3);
		}
	}

	@Test
	void aClientThatHasEndedIsNotStopped() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.lastHeaders(1, with(":method", "PUT")).play();
			peer.loop.advance(6, TimeUnit.SECONDS);
			peer.settle();
			assertThat(peer.stream(1).isReset()).isFalse();
		}
	}

	@Test
	void theBodyKeepsToBothWindows() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 3)) {
			peer.lastHeaders(1, with(":method", "PUT")).play();
			WireStream stream = peer.stream(1);
			assertThat(stream.header(":status")).isEqualTo("405");
			assertThat(stream.body.size()).isEqualTo(3);
			assertThat(stream.phase).isEqualTo(Phase.HEADERS);
			peer.windowUpdate(1, 1).play();
			assertThat(stream.body.size()).isEqualTo(4);
			peer.settings(0x4, 0).play();
			assertThat(stream.body.size()).isEqualTo(4);
			peer.windowUpdate(1, 1000).play();
			assertThat(stream.phase).isEqualTo(Phase.ENDED);
			assertThat(stream.body.toString(StandardCharsets.UTF_8)).contains("PUT").endsWith("POST");
			peer.settings(0x4, 65535).servesACall(3);
		}
	}

	@Test
	void aRefusalThatIsNeverReadIsGivenUp() {
		for (boolean ended : new boolean[] { false, true }) {
			try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 0)) {
				peer.headers(1, ended ? ScriptedPeer.END_STREAM : 0, RawHpack.block(with(":method", "PUT"))).play();
				assertThat(peer.stream(1).phase).isEqualTo(Phase.HEADERS);
				peer.loop.advance(5, TimeUnit.SECONDS);
				peer.settle();
				assertThat(peer.stream(1).isReset()).isTrue();
				assertThat(peer.connection().streams().isEmpty()).isTrue();
			}
		}
	}

	/**
	 * Case B10.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/", "/x", "//Unary", "/t.Echo/", "/t.Echo/unary", "/t.Echo/Unary/", "/t.Echo/Unary?a=1",
			"/t.Nope/Unary", "/t.Echo%2FUnary", "/t.Echo\u00e9/Unary" })
	void aPathThatLeadsNowhereIsUnimplemented(String path) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request(path)).data(1, ScriptedPeer.ABC).play();
			WireStream stream = peer.stream(1);
			assertThat(stream.trailersOnly).isTrue();
			assertThat(stream.header(":status")).isEqualTo("200");
			assertThat(stream.header("content-type")).isEqualTo("application/grpc");
			assertThat(stream.status()).isEqualTo(UNIMPLEMENTED);
			assertThat(StatusText.decode(stream.trailer("grpc-message")))
				.isEqualTo("Method not found: " + path.substring(1));
			assertThat(stream.resetAfterEnd).isTrue();
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.UNIMPLEMENTED);
			assertThat(peer.connection().inboundFlow().creditWithPending()).isEqualTo(1024 * 1024);
			peer.lastHeaders(3, ScriptedPeer.request(path)).play();
			assertThat(peer.stream(3).status()).isEqualTo(UNIMPLEMENTED);
			assertThat(peer.stream(3).resetAfterEnd).isFalse();
			peer.servesACall(5);
		}
	}

	/**
	 * Case B10.
	 */
	@Test
	void aPathOf4KibIsAPath() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.lastHeaders(1, ScriptedPeer.request("/" + "p".repeat(4095))).play();
			assertThat(peer.stream(1).status()).isEqualTo(UNIMPLEMENTED);
			peer.servesACall(3);
		}
	}

	@Test
	void aFallbackRegistryThatThrowsEndsTheCallItWasAskedAbout() {
		HandlerRegistry throwing = new HandlerRegistry() {

			@Override
			public ServerMethodDefinition<?, ?> lookupMethod(String methodName, String authority) {
				throw new IllegalStateException("secret");
			}

		};
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).fallsBackOn(throwing).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Nope/Unary")).data(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isEqualTo(UNKNOWN);
			assertThat(peer.oracle.frames()).isNotEmpty();
			assertThat(peer.stream(1).headers).noneMatch((field) -> field.contains("secret"));
			peer.servesACall(3);
		}
	}

	/**
	 * A timer that waits although there is nothing left to wait for is memory that a peer
	 * fills.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void refusedStreamsThatAreOverLeaveNoTimers(boolean endsInHeaders) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			int timers = peer.loop.pendingTimers();
			for (int id = 1; id < 2000; id += 2) {
				if (endsInHeaders) {
					peer.lastHeaders(id, with(":method", "GET"));
				}
				else {
					peer.headers(id, with(":method", "GET")).lastData(id);
				}
			}
			peer.play();
			assertThat(peer.connection().streams().isEmpty()).isTrue();
			assertThat(peer.loop.pendingTimers()).isEqualTo(timers);
		}
	}

}
