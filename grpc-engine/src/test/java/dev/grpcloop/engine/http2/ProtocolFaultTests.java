package dev.grpcloop.engine.http2;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.grpcloop.engine.http2.TrippedGuard.assertAlive;
import static dev.grpcloop.engine.http2.TrippedGuard.assertTripped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Streams that the server has to reset for faults of its client (CVE-2025-8671,
 * "MadeYouReset"), and those that it resets for reasons of its own.
 */
class ProtocolFaultTests {

	private static final int CONCURRENT = 10;

	private static final int ALLOWED = CONCURRENT + AbuseLimits.DEFAULT.protocolFaults();

	private final ScriptedService service = new ScriptedService().behaves(Behaviour.SINK);

	static Stream<Arguments> faults() {
		return both(fault("WINDOW_UPDATE of 0", (peer, id) -> open(peer, id).illegalWindowUpdate(id, 0)),
				fault("a window larger than 2^31-1",
						(peer, id) -> open(peer, id).illegalWindowUpdate(id, Integer.MAX_VALUE)),
				fault("DATA after END_STREAM",
						(peer, id) -> peer.lastHeaders(id, ScriptedPeer.request("/t.Echo/Bidi")).data(id, new byte[1])),
				fault("HEADERS after END_STREAM",
						(peer, id) -> peer.lastHeaders(id, ScriptedPeer.request("/t.Echo/Bidi"))
							.frame(Http2FrameTypes.HEADERS, 0x5, id, RawHpack.block("x-a", "b"))),
				fault("trailers without END_STREAM",
						(peer, id) -> open(peer, id).headers(id, 0, RawHpack.block("x-a", "b"))),
				fault("trailers with a pseudo-header",
						(peer, id) -> open(peer, id).headers(id, 1, RawHpack.block(":path", "/b"))),
				fault("PRIORITY that depends on itself",
						(peer, id) -> open(peer, id).frame(Http2FrameTypes.PRIORITY, 0, id,
								ByteBuffer.allocate(5).putInt(id).array())),
				fault("PRIORITY of the wrong length",
						(peer, id) -> open(peer, id).frame(Http2FrameTypes.PRIORITY, 0, id, new byte[4])),
				fault("more DATA than the content-length",
						(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi", "content-length", "1"))
							.data(id, new byte[2])),
				fault("less DATA than the content-length",
						(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi", "content-length", "1"))
							.lastData(id)),
				fault("no DATA at all, and a content-length",
						(peer, id) -> peer.lastHeaders(id,
								ScriptedPeer.request("/t.Echo/Bidi", "content-length", "1"))),
				fault("a request without :path", (peer, id) -> peer.headers(id, ":method", "POST", ":scheme", "http")),
				fault("an upper-case name",
						(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi", "A", "b"))),
				fault("a connection header",
						(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi", "connection", "close"))));
	}

	static Stream<Arguments> noFaults() {
		return both(fault("the deadline passes", (peer, id) -> {
			peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi", "grpc-timeout", "1m")).play();
			peer.loop.advance(20, TimeUnit.MILLISECONDS);
			peer.loop.advance(20, TimeUnit.MILLISECONDS);
		}), fault("the method does not exist, and the client goes on sending",
				(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Nothing")).data(id, ScriptedPeer.ABC)),
				fault("the request is not of gRPC",
						(peer, id) -> peer.headers(id, ":method", "GET", ":scheme", "http", ":path", "/").lastData(id)),
				fault("the metadata is too large",
						(peer, id) -> peer.headers(id,
								ScriptedPeer.request("/t.Echo/Bidi", "x-large", "x".repeat(8192)))),
				fault("a message is too large",
						(peer, id) -> peer.headers(id, ScriptedPeer.request("/t.Echo/Bidi"))
							.data(id, new byte[] { 0, 0x7f, 0, 0, 0 })),
				fault("the service gives the call up", (peer, id) -> {
					open(peer, id).play();
					ServedCall call = callOf(peer);
					peer.loop.enter(() -> call.call.close(Status.ABORTED, new Metadata()));
				}), fault("the service breaks the contract of its call", (peer, id) -> {
					peer.headers(id, ScriptedPeer.request("/t.Echo/Unary")).play();
					ServedCall call = callOf(peer);
					peer.loop.enter(() -> call.call.close(Status.OK, new Metadata()));
				}));
	}

	private static ServedCall callOf(ScriptedPeer peer) {
		return SERVICES.get().calls.get(SERVICES.get().calls.size() - 1);
	}

	private static final ThreadLocal<ScriptedService> SERVICES = new ThreadLocal<>();

	private static ScriptedPeer open(ScriptedPeer peer, int streamId) {
		return peer.headers(streamId, ScriptedPeer.request("/t.Echo/Bidi"));
	}

	private static Fault fault(String name, FaultyStream stream) {
		return new Fault(name, stream);
	}

	private static Stream<Arguments> both(Fault... faults) {
		return Stream.of(faults).flatMap((fault) -> Stream.of(arguments(fault, false), arguments(fault, true)));
	}

	@ParameterizedTest(name = "{0}, off loop: {1}")
	@MethodSource("faults")
	void aClientWhoseStreamsHaveToBeResetIsCutOff(Fault fault, boolean offLoop) {
		try (ScriptedPeer peer = connected(offLoop)) {
			int id = 1;
			for (int i = 0; i < ALLOWED; i++) {
				fault.stream().send(peer, id);
				peer.play();
				assertThat(peer.telemetry.guards).as("after " + (i + 1)).isEmpty();
				id += 2;
			}
			assertThat(peer.telemetry.resetsSent).as("resets of the server").isEqualTo(ALLOWED);
			assertThat(peer.telemetry.streamFaults).as("faults").hasSize(ALLOWED);
			fault.stream().send(peer, id);
			peer.play();
			assertTripped(peer, Guard.PROTOCOL_FAULTS);
			assertThat(peer.telemetry.streamFaults).as("the last is the guard's").hasSize(ALLOWED);
			assertThat(peer.telemetry.connectionFaults).as("the guard is no fault beside it").isEmpty();
		}
		this.service.verify();
	}

	@ParameterizedTest(name = "{0}, off loop: {1}")
	@MethodSource("noFaults")
	void whatTheServerEndsForReasonsOfItsOwnDoesNotCount(Fault fault, boolean offLoop) {
		SERVICES.set(this.service);
		try (ScriptedPeer peer = connected(offLoop)) {
			int id = 1;
			for (int i = 0; i < 2 * ALLOWED; i++) {
				fault.stream().send(peer, id);
				peer.play();
				assertThat(peer.stream(id).isOver()).isTrue();
				id += 2;
			}
			this.service.behaves(Behaviour.ECHO);
			assertAlive(peer, id);
			assertThat(peer.telemetry.streamFaults).isEmpty();
		}
		finally {
			SERVICES.remove();
		}
	}

	private ScriptedPeer connected(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(this.service).limits(CONCURRENT, 1024 * 1024, 8192);
		return (offLoop ? server.runsOffLoop() : server).connected();
	}

	private interface FaultyStream {

		void send(ScriptedPeer peer, int streamId);

	}

	private record Fault(String name, FaultyStream stream) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
