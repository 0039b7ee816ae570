package dev.grpcloop.engine.http2;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the engine tells of a connection and its streams: why they end, what the client
 * did wrong, and how long it gave no credit. That all that begins has one end is checked
 * whenever a {@link ScriptedPeer} is closed.
 */
class ConnectionTelemetryTests {

	private static final String BIDI = "/t.Raw/Bidi";

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SILENT);

	static Stream<Arguments> ends() {
		Life life = Life.that().shakesHandsWithin(20).idles(100).ages(1000).isPinged(500, 20);
		return Stream.of(end("the client leaves", CloseReason.PEER, ConnectionTelemetryTests::connect),
				end("the client leaves before it has begun", CloseReason.PEER, (peer) -> {
				}), end("a frame that ends the connection", CloseReason.PROTOCOL_ERROR, (peer) -> {
					connect(peer);
					peer.illegalWindowUpdate(0, 0).play();
					peer.loop.leave(peer.connection()::shutdownNow);
				}),
				end("another protocol", CloseReason.GUARD,
						(peer) -> peer.readsText()
							.raw("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
							.play()),
				end("no preface", CloseReason.GUARD, (peer) -> peer.loop.advance(20, TimeUnit.SECONDS)),
				end("no acknowledgement", CloseReason.GUARD, (peer) -> {
					peer.preface().settings().play();
					peer.loop.advance(20, TimeUnit.SECONDS);
				}), end("too many pings", CloseReason.GUARD, (peer) -> {
					connect(peer);
					peer.ping(1).ping(2).ping(3).ping(4).play();
				}), end("a call and no life sign", CloseReason.GUARD, (peer) -> {
					connect(peer);
					peer.headers(1, ScriptedPeer.request(BIDI)).play();
					peer.loop.advance(501, TimeUnit.SECONDS);
					peer.settle().loop.advance(21, TimeUnit.SECONDS);
				}), end("no call", CloseReason.IDLE, (peer) -> {
					connect(peer);
					peer.loop.advance(101, TimeUnit.SECONDS);
				}), end("its age", CloseReason.AGE, (peer) -> {
					connect(peer);
					peer.headers(1, ScriptedPeer.request(BIDI)).play();
					peer.loop.advance(450, TimeUnit.SECONDS);
					peer.ping(1).play();
					peer.loop.advance(450, TimeUnit.SECONDS);
					peer.ping(1).play();
					peer.loop.advance(201, TimeUnit.SECONDS);
					peer.illegalWindowUpdate(0, 0).play();
				}), end("a fault of the server", CloseReason.SERVER_ERROR, (peer) -> {
					connect(peer);
					peer.expectedFaults = 1;
					peer.telemetry.interruptedBy(() -> {
						peer.telemetry.interruptedBy(() -> {
						});
						throw new IllegalStateException("a fault");
					});
					peer.ping(1).play();
				}), end("the server stops", CloseReason.SHUTDOWN, (peer) -> {
					connect(peer);
					peer.headers(1, ScriptedPeer.request(BIDI)).play();
					peer.loop.leave(peer.connection()::shutdown);
				}), end("the server stops before the preface", CloseReason.SHUTDOWN, (peer) -> {
					peer.loop.leave(peer.connection()::shutdown);
					peer.loop.advance(1, TimeUnit.SECONDS);
				}), end("the server stops at once", CloseReason.SHUTDOWN, (peer) -> {
					connect(peer);
					peer.headers(1, ScriptedPeer.request(BIDI)).play();
					peer.loop.leave(peer.connection()::shutdownNow);
				}))
			.map((end) -> arguments(end, life.build()));
	}

	private static Scene<CloseReason> end(String name, CloseReason reason, Consumer<ScriptedPeer> script) {
		return new Scene<>(name, reason, script);
	}

	private static void connect(ScriptedPeer peer) {
		peer.connects();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ends")
	void aConnectionHasTheFirstReasonThatEndedIt(Scene<CloseReason> end, ConnectionLife life) {
		ScriptedPeer peer = ScriptedPeer.of(this.service).life(life).accepted();
		try (peer) {
			end.script().accept(peer);
			peer.settle();
		}
		assertThat(peer.telemetry.connectionsClosed).containsExactly(end.expected());
		assertThat(peer.telemetry.connectionFaults)
			.hasSize((end.expected() == CloseReason.PROTOCOL_ERROR || end.expected() == CloseReason.AGE) ? 1 : 0);
	}

	@Test
	void theHandshakeIsToldOnceWithTheTimeFromTheBeginning() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).accepted()) {
			peer.loop.advance(2, TimeUnit.SECONDS);
			peer.preface().settings().play();
			peer.loop.advance(3, TimeUnit.SECONDS);
			assertThat(peer.telemetry.handshakes).isEmpty();
			peer.settingsAck().settings().settingsAck().play();
			assertThat(peer.telemetry.handshakes).singleElement().satisfies((nanos) -> assertSeconds(nanos, 5));
		}
	}

	static Stream<Scene<Refusal>> refusals() {
		return Stream.of(
				refusal("no path", Refusal.MALFORMED, (peer) -> peer.headers(1, ":method", "POST", ":scheme", "http")),
				refusal("two hosts", Refusal.MALFORMED,
						(peer) -> peer.headers(1, ":method", "POST", ":scheme", "http", ":path", "/t.Raw/Bidi", "host",
								"a", "host", "b", "content-type", "application/grpc")),
				refusal("no content, and a content-length", Refusal.MALFORMED,
						(peer) -> peer.lastHeaders(1, ScriptedPeer.request(BIDI, "content-length", "1"))),
				refusal("metadata that is no base64", Refusal.MALFORMED,
						(peer) -> peer.headers(1, ScriptedPeer.request(BIDI, "x-bin", "!"))),
				refusal("GET", Refusal.NOT_GRPC,
						(peer) -> peer.headers(1, ":method", "GET", ":scheme", "http", ":path", "/")),
				refusal("a path without a slash", Refusal.NOT_GRPC,
						(peer) -> peer.headers(1, ScriptedPeer.request("*"))),
				refusal("another type", Refusal.NOT_GRPC,
						(peer) -> peer.lastHeaders(1, ":method", "POST", ":scheme", "http", ":path", "/a",
								"content-type", "text/plain")),
				refusal("large metadata", Refusal.METADATA_TOO_LARGE,
						(peer) -> peer.headers(1, ScriptedPeer.request(BIDI, "x-large", "x".repeat(8192)))),
				refusal("more streams than allowed", Refusal.TOO_MANY_STREAMS, (peer) -> {
					for (int id = 1; id <= 7; id += 2) {
						peer.headers(id, ScriptedPeer.request(BIDI));
					}
				}), refusal("a stream after GOAWAY, with trailers", Refusal.CLOSING, (peer) -> {
					peer.headers(1, ScriptedPeer.request(BIDI)).play();
					peer.loop.leave(peer.connection()::shutdown);
					peer.settle().pingAck(peer.oracle.pings().get(0)).play();
					peer.headers(3, ScriptedPeer.request(BIDI)).lastHeaders(3, "x-a", "b");
				}));
	}

	private static Scene<Refusal> refusal(String name, Refusal refusal, Consumer<ScriptedPeer> script) {
		return new Scene<>(name, refusal, script);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("refusals")
	void aStreamThatBecomesNoCallIsRefusedForOneReason(Scene<Refusal> refusal) {
		ScriptedPeer peer = ScriptedPeer.of(this.service).limits(3, 1024 * 1024, 8192).connected();
		try (peer) {
			refusal.script().accept(peer);
			peer.play();
			assertThat(peer.telemetry.refusals).containsExactly(refusal.expected());
			assertThat(peer.telemetry.streamsOpened - 1).isEqualTo(peer.telemetry.callsStarted);
		}
		assertThat(peer.telemetry.streamsClosed).isEqualTo(peer.telemetry.streamsOpened);
		assertThat(peer.telemetry.callsServed).isEqualTo(this.service.calls.size());
	}

	@Test
	void aRequestForWhichThereIsNoMemoryIsRefused() {
		MemoryBudget budget = new MemoryBudget(1024 * 1024);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).budget(budget).connected()) {
			for (int id = 1; peer.telemetry.refusals.isEmpty(); id += 2) {
				peer.headers(id, ScriptedPeer.request(BIDI)).play();
			}
			assertThat(peer.telemetry.refusals).containsExactly(Refusal.MEMORY);
		}
	}

	@Test
	void aStreamBeyondALimitThatTheClientKnowsIsAFault() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).limits(1, 65535, 8192).accepted()) {
			peer.preface().settings();
			peer.headers(1, ScriptedPeer.request(BIDI)).headers(3, ScriptedPeer.request(BIDI)).play();
			assertThat(peer.telemetry.streamFaults).isEmpty();
			peer.settingsAck().headers(5, ScriptedPeer.request(BIDI)).play();
			assertThat(peer.telemetry.streamFaults).containsExactly(Http2Error.REFUSED_STREAM.code());
		}
	}

	@Test
	void eachFlushTellsItsFrames() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			int flushes = peer.telemetry.flushes;
			int frames = peer.telemetry.framesSent;
			int seen = peer.oracle.frames().size();
			assertThat(frames).isEqualTo(seen);
			peer.ping(1).ping(2).headers(1, ScriptedPeer.request("/t.Echo/Nothing")).play();
			assertThat(peer.telemetry.flushes).isEqualTo(flushes + 1);
			assertThat(peer.telemetry.framesSent - frames).isEqualTo(peer.oracle.frames().size() - seen).isEqualTo(4);
		}
	}

	// credit

	private static final int WINDOW = 1000;

	static Stream<Scene<Integer>> stalls() {
		return Stream.of(stall("the stream gets credit", 2, (peer) -> peer.windowUpdate(1, WINDOW)),
				stall("the stream gets credit by the settings", 2, (peer) -> peer.settings(0x4, 2 * WINDOW)),
				stall("the client resets it", 2, (peer) -> peer.reset(1, 8)),
				stall("the connection is lost", 2, (peer) -> peer.channel.breaks()),
				stall("the server gives it up", 2, (peer) -> peer.loop.leave(peer.connection()::shutdownNow)));
	}

	private static Scene<Integer> stall(String name, int seconds, Consumer<ScriptedPeer> script) {
		return new Scene<>(name, seconds, script);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("stalls")
	void aStreamWithoutCreditIsStalledOnceUntilItHasSomeOrEnds(Scene<Integer> stall) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, WINDOW)) {
			send(peer, 1, WINDOW / 2);
			assertThat(peer.telemetry.stalls).isZero();
			sendMore(peer, 0, WINDOW);
			sendMore(peer, 0, 1);
			assertThat(peer.telemetry.stalls).isOne();
			peer.loop.advance(1, TimeUnit.SECONDS);
			peer.windowUpdate(0, WINDOW).settings(0x4, WINDOW - 10).windowUpdate(1, 10).play();
			sendMore(peer, 0, 1);
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertStalledUntil(peer, stall);
		}
	}

	static Stream<Scene<Integer>> connectionStalls() {
		return Stream.of(stall("it gets credit", 2, (peer) -> peer.windowUpdate(0, 1 << 20)),
				stall("all streams that wait are reset", 2, (peer) -> peer.reset(1, 8).reset(3, 8)),
				stall("it is lost", 2, (peer) -> peer.channel.breaks()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("connectionStalls")
	void aConnectionWithoutCreditIsStalledOnceForAllItsStreams(Scene<Integer> stall) {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 20)) {
			send(peer, 1, 65535);
			assertThat(peer.telemetry.stalls).isZero();
			sendMore(peer, 0, 100);
			send(peer, 3, 100);
			send(peer, 5, 100);
			peer.loop.advance(1, TimeUnit.SECONDS);
			peer.windowUpdate(1, 1).reset(5, 8).play();
			peer.loop.advance(1, TimeUnit.SECONDS);
			assertStalledUntil(peer, stall);
		}
	}

	private static void assertStalledUntil(ScriptedPeer peer, Scene<Integer> stall) {
		assertThat(peer.telemetry.stalls).isOne();
		assertThat(peer.telemetry.resumes).isEmpty();
		stall.script().accept(peer);
		peer.play();
		assertThat(peer.telemetry.stalls).isOne();
		assertThat(peer.telemetry.resumes).singleElement().satisfies((nanos) -> assertSeconds(nanos, stall.expected()));
	}

	@Test
	void aStreamWhoseCreditIsTakenBackInTheLineIsStalled() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 20)) {
			send(peer, 1, 65535 + 100);
			assertThat(peer.telemetry.stalls).as("of the connection").isOne();
			peer.settings(0x4, 0).windowUpdate(0, 1 << 20).play();
			assertThat(peer.telemetry.stalls).as("and of the stream").isEqualTo(2);
			assertThat(peer.telemetry.resumes).as("the connection has credit").hasSize(1);
			peer.settings(0x4, 1 << 20).play();
			assertThat(peer.telemetry.resumes).hasSize(2);
		}
	}

	@Test
	void streamsThatEndInALineThatDoesNotMoveAreNotKept() {
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected(0x4, 1 << 20)) {
			send(peer, 1, 65535 + 100);
			for (int id = 3; id < 203; id += 2) {
				send(peer, id, 100);
				peer.reset(id, 8).play();
			}
			assertThat(peer.connection().outboundFlow().lineLength()).isLessThan(20);
			peer.windowUpdate(0, 100).play();
			assertThat(peer.stream(1).messages()).hasSize(1);
		}
	}

	/**
	 * The clock of a script moves on while it plays.
	 */
	private static void assertSeconds(long nanos, int seconds) {
		assertThat(nanos).isBetween(TimeUnit.SECONDS.toNanos(seconds), TimeUnit.SECONDS.toNanos(seconds + 60));
	}

	private void send(ScriptedPeer peer, int streamId, int bytes) {
		peer.headers(streamId, ScriptedPeer.request(BIDI)).play();
		sendMore(peer, this.service.calls.size() - 1, bytes);
	}

	private void sendMore(ScriptedPeer peer, int call, int bytes) {
		peer.loop.enter(() -> this.service.call(call).send(new byte[bytes - Math.min(bytes, 5)]));
		peer.settle();
	}

	// calls

	static Stream<Scene<Boolean>> calls() {
		return Stream.of(call("a call that ends well", true, (peer) -> {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).lastData(1, ScriptedPeer.ABC).play();
		}), call("the client resets it", true,
				(peer) -> peer.headers(1, ScriptedPeer.request(BIDI)).play().reset(1, 8).play()),
				call("no such method", false, (peer) -> peer.headers(1, ScriptedPeer.request("/t.Raw/Nothing")).play()),
				call("no such encoding", false,
						(peer) -> peer.headers(1, ScriptedPeer.request(BIDI, "grpc-encoding", "zz9")).play()),
				call("no time", false,
						(peer) -> peer.headers(1, ScriptedPeer.request(BIDI, "grpc-timeout", "0n")).play()),
				call("no thread", false, (peer) -> {
					peer.executor.rejects(peer.runsOffLoop());
					if (peer.runsOffLoop()) {
						peer.headers(1, ScriptedPeer.request(BIDI)).play();
					}
				}), call("a reset before there is a thread", false, (peer) -> {
					if (peer.runsOffLoop()) {
						peer.headers(1, ScriptedPeer.request(BIDI)).reset(1, 8).play();
					}
				}));
	}

	private static Scene<Boolean> call(String name, boolean served, Consumer<ScriptedPeer> script) {
		return new Scene<>(name, served, script);
	}

	@ParameterizedTest(name = "{0}, off loop: {1}")
	@MethodSource("callsInBothModes")
	void aCallIsServedIfServiceCodeHasSeenIt(Scene<Boolean> call, boolean offLoop) {
		this.service.behaves((served) -> served.method().startsWith("t.Echo") ? Behaviour.ECHO : Behaviour.SINK);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected();
		try (peer) {
			call.script().accept(peer);
		}
		assertThat(peer.telemetry.callsServed).isEqualTo(call.expected() ? 1 : 0).isEqualTo(this.service.calls.size());
		assertThat(peer.telemetry.executor.rejected).hasValue(peer.executor.rejections);
		assertThat(peer.telemetry.executor.handedOver).hasValueGreaterThanOrEqualTo(peer.executor.rejections);
	}

	static Stream<Arguments> callsInBothModes() {
		return calls().flatMap((call) -> Stream.of(arguments(call, false), arguments(call, true)));
	}

	/**
	 * Something that happens, and what is to be told of it.
	 */
	private record Scene<T>(String name, T expected, Consumer<ScriptedPeer> script) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
