package dev.grpcloop.engine.http2;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a request says of its time, and what becomes of the call (cases B16 and B27).
 */
class TimeoutHeaderTests {

	private final ScriptedService service = new ScriptedService();

	private @Nullable Deadline deadline;

	private @Nullable Context context;

	private ScriptedService observing() {
		return this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				TimeoutHeaderTests.this.context = Context.current();
				TimeoutHeaderTests.this.deadline = Context.current().getDeadline();
				call.request(1);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				call.send(message);
			}

			@Override
			public void halfClosed(ServedCall call) {
				call.close(Status.OK);
			}

		});
	}

	/**
	 * Case B16.
	 */
	@ParameterizedTest
	@CsvSource({ "1S, 0", "99999999H, 36000", "1H, 0" })
	void theServiceSeesTheDeadline(String timeout, long days) {
		try (ScriptedPeer peer = ScriptedPeer.of(observing()).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-timeout", timeout))
				.lastData(1, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(this.deadline).isNotNull();
			assertThat(this.deadline.timeRemaining(TimeUnit.DAYS)).isGreaterThanOrEqualTo(days);
		}
	}

	/**
	 * Case B16.
	 */
	@Test
	void withoutATimeoutThereIsNoDeadline() {
		try (ScriptedPeer peer = ScriptedPeer.of(observing()).connected()) {
			peer.servesACall(1);
			assertThat(this.deadline).isNull();
		}
	}

	/**
	 * Cases B16 and B27 (d).
	 */
	@ParameterizedTest
	@ValueSource(strings = { "0S", "00000001n", "1n" })
	void aTimeThatIsOverIsDeadlineExceededAtOnce(String timeout) {
		try (ScriptedPeer peer = ScriptedPeer.of(observing()).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-timeout", timeout))
				.lastData(1, ScriptedPeer.ABC)
				.play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.DEADLINE_EXCEEDED.value());
			assertThat(this.service.calls).isEmpty();
			peer.servesACall(3);
		}
	}

	/**
	 * Case B16.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-1S", "123456789S", "10", "S", "10x", "1 S", "" })
	void aMalformedTimeoutIsInternal(String timeout) {
		assertInternal("grpc-timeout", timeout);
	}

	/**
	 * Case B16.
	 */
	@ParameterizedTest
	@CsvSource({ "1S, 1S", "1H, 2H", "10x, 1S", "1S, 10x" })
	void twoTimeoutsAreInternal(String first, String second) {
		assertInternal("grpc-timeout", first, "grpc-timeout", second);
	}

	private void assertInternal(String... fields) {
		try (ScriptedPeer peer = ScriptedPeer.of(observing()).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", fields)).lastData(1, ScriptedPeer.ABC).play();
			assertThat(peer.stream(1).status()).isEqualTo(Status.Code.INTERNAL.value());
			assertThat(peer.stream(1).trailer("grpc-message")).contains("grpc-timeout");
			assertThat(peer.stream(1).trailersOnly).isTrue();
			assertThat(this.service.calls).isEmpty();
			peer.servesACall(3);
		}
	}

	/**
	 * Case B27 (c).
	 */
	@Test
	void aCallThatExpiresInTheQueueOfTheExecutorIsNeverStarted() {
		try (ScriptedPeer peer = ScriptedPeer.of(observing()).runsOffLoop().connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Unary", "grpc-timeout", "1H"))
				.lastData(1, ScriptedPeer.ABC)
				.deliver();
			peer.loop.runAll();
			assertThat(peer.executor.size()).isOne();
			peer.loop.advance(61, TimeUnit.MINUTES);
			peer.loop.runAll();
			assertThat(peer.stream(1).resetCode).isEqualTo(8);
			peer.settle();
			assertThat(this.service.calls).isEmpty();
			assertThat(peer.telemetry.callsClosed).containsExactly(Status.Code.DEADLINE_EXCEEDED);
			peer.servesACall(3);
		}
	}

	/**
	 * Case B27 (a) and (b).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void nothingFollowsTheResetOfAnExpiredCall(boolean offLoop) {
		ScriptedPeer.Server server = ScriptedPeer.of(observing());
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Echo/Bidi", "grpc-timeout", "1H"))
				.data(1, ScriptedPeer.ABC)
				.play();
			ServedCall call = this.service.onlyCall();
			Runnable send = () -> call.send(new byte[5]);
			act(peer, offLoop, send);
			assertThat(peer.stream(1).messages()).hasSize(2);
			peer.loop.advance(61, TimeUnit.MINUTES);
			peer.settle();
			assertThat(peer.stream(1).resetCode).isEqualTo(8);
			assertThat(this.context.cancellationCause()).isInstanceOf(TimeoutException.class);
			act(peer, offLoop, send);
			act(peer, offLoop, () -> call.call.close(Status.OK, new Metadata()));
			assertThat(peer.oracle.frames()).last().asString().startsWith("RST_STREAM stream=1 ");
			assertThat(call.events).endsWith("cancel").doesNotContain("complete");
		}
		this.service.verify();
	}

	private static void act(ScriptedPeer peer, boolean offLoop, Runnable step) {
		if (offLoop) {
			peer.executor.execute(step);
		}
		else {
			peer.loop.enter(step);
		}
		peer.settle();
	}

}
