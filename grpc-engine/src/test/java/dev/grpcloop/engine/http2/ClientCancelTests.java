package dev.grpcloop.engine.http2;

import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The ways in which a client gives up a call that runs (case B25).
 */
class ClientCancelTests {

	private final ScriptedService service = new ScriptedService();

	private @Nullable Context context;

	static Stream<Arguments> ways() {
		return Stream.of(false, true)
			.flatMap((offLoop) -> Stream.of(
					way("RST_STREAM(CANCEL) after END_STREAM", offLoop,
							(peer) -> peer.lastData(1, ScriptedPeer.ABC).play().reset(1, 8).play()),
					way("RST_STREAM right after HEADERS", offLoop, (peer) -> peer.reset(1, 8).play()),
					way("a lost connection", offLoop, (peer) -> {
						peer.play();
						peer.channel.breaks();
						peer.settle();
					}), way("GOAWAY, then the end of the connection", offLoop, (peer) -> {
						peer.lastData(1, ScriptedPeer.ABC).frame(Http2FrameTypes.GO_AWAY, 0, 0, new byte[8]).play();
						assertThat(peer.stream(1).isOver()).as("GOAWAY alone ends no call").isFalse();
						peer.channel.breaks();
						peer.settle();
					})));
	}

	private static Arguments way(String name, boolean offLoop, Consumer<ScriptedPeer> way) {
		return arguments(name, offLoop, way);
	}

	/**
	 * Case B25.
	 */
	@ParameterizedTest(name = "{0}, off loop: {1}")
	@MethodSource("ways")
	void aCallHearsOfItOnce(String name, boolean offLoop, Consumer<ScriptedPeer> way) {
		this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				ClientCancelTests.this.context = Context.current();
				call.request(1);
			}

		});
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).deliver().loop.runAll();
			if (offLoop) {
				peer.settle();
			}
			way.accept(peer);
			ServedCall call = this.service.onlyCall();
			assertThat(call.events).endsWith("cancel").doesNotContain("complete");
			assertThat(call.call.isCancelled()).isTrue();
			assertThat(this.context.isCancelled()).isTrue();
			assertThat(Status.fromThrowable(this.context.cancellationCause()).getCode())
				.isEqualTo(Status.Code.CANCELLED);
			call.call.sendHeaders(new Metadata());
			call.call.close(Status.OK, new Metadata());
			peer.settle();
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.CANCELLED);
			assertThat(call.events).containsOnlyOnce("cancel");
		}
		this.service.verify();
	}

}
