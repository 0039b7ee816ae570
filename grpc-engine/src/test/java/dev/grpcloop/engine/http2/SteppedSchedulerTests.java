package dev.grpcloop.engine.http2;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of random interleavings of the event loop with the threads of an executor and
 * of the services: frames, posts, flushes, rejections, closes, shutdowns. Whatever the
 * order, each call that was started has exactly one end and its callbacks one after the
 * other; no buffer is touched after its release or kept; nothing that was written waits
 * for a flush that does not come; no stream is stuck (cases B24, B28).
 * <p>
 * A failure names the seed and the step. To look at one, run {@link SteppedScript} with
 * its seed alone.
 */
class SteppedSchedulerTests {

	private static final int SEEDS = 1500;

	private static final int STEPS = 80;

	/**
	 * The loop writes what another thread has sent, and in the midst of that a callback
	 * sends and closes: it must not overtake what is yet to be written.
	 */
	@Test
	void aCallbackDoesNotOvertakeWhatAnotherThreadHasSent() {
		ScriptedService service = new ScriptedService().behaves(new Behaviour() {

			@Override
			public void ready(ServedCall call) {
				if (call.sent.size() > 0 && !call.isDone()) {
					call.send(new byte[] { 3 });
					call.close(Status.OK);
				}
			}

		});
		try (ScriptedPeer peer = ScriptedPeer.of(service).connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
			ServedCall call = service.onlyCall();
			peer.loop.leave(() -> {
				call.send(new byte[40_000]);
				call.send(new byte[] { 1 });
				call.send(new byte[] { 2 });
			});
			peer.settle();
			assertThat(peer.stream(1).status()).isZero();
			assertThat(peer.stream(1).messages()).extracting((message) -> message[0])
				.containsExactly((byte) 0, (byte) 1, (byte) 2, (byte) 3);
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyInterleavingEndsEveryCallOnce(SteppedScript.Place place) {
		for (long seed = 0; seed < SEEDS; seed++) {
			new SteppedScript(seed, place).run(STEPS);
		}
	}

}
