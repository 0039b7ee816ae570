package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that does not end a call whose deadline has passed (case B27).
 */
class DeadlineTests {

	private static final int CANCEL = 8;

	private final ScriptedService service = new ScriptedService();

	@Test
	void anExpiredCallIsResetAndNotBefore() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi", "grpc-timeout", "1H")).play();
			peer.loop.advance(59, TimeUnit.MINUTES);
			assertThat(peer.settle().stream(1).isOver()).isFalse();
			peer.loop.advance(61, TimeUnit.SECONDS);
			WireStream stream = peer.settle().stream(1);
			assertThat(stream.resetCode).isEqualTo(CANCEL);
			assertThat(stream.headers).isEmpty();
			assertThat(this.service.onlyCall().events).containsExactly("start", "ready", "cancel");
			peer.servesACall(3);
		}
		this.service.verify();
	}

	@Test
	void aCallThatHasSentMessagesIsResetToo() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi", "grpc-timeout", "1H"))
				.data(1, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(1).messages()).hasSize(1);
			peer.loop.advance(61, TimeUnit.MINUTES);
			WireStream stream = peer.settle().stream(1);
			assertThat(stream.resetCode).isEqualTo(CANCEL);
			assertThat(stream.trailers).isEmpty();
			ServedCall call = this.service.onlyCall();
			assertThat(call.call.isCancelled()).isTrue();
			call.send(new byte[1]);
			call.call.close(Status.OK, new Metadata());
			assertThat(peer.settle().stream(1).messages()).hasSize(1);
		}
		this.service.verify();
	}

	@Test
	void aCallTakesAsLongAsTheClockOfItsLoopSays() {
		this.service.behaves(Behaviour.SILENT);
		try (ScriptedPeer peer = ScriptedPeer.of(this.service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).play();
			peer.loop.advance(5, TimeUnit.SECONDS);
			peer.reset(1, CANCEL).play();
			assertThat(peer.telemetry.callNanos).singleElement()
				.satisfies((nanos) -> assertThat(nanos).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(5)));
		}
	}

}
