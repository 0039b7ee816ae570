package dev.grpcloop.engine.http2;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Service code that goes on after its stream is gone (case B34 c).
 */
class AbandonedCallTests {

	private static final int CANCEL = 8;

	private static final int REFUSED_STREAM = 7;

	private static final int CONCURRENT = 3;

	/** More than there may be streams at fault. */
	private static final int ATTEMPTS = 2 * (CONCURRENT + AbuseLimits.DEFAULT.protocolFaults());

	private final ScriptedService service = new ScriptedService();

	private int running;

	private int mostRunning;

	@Test
	void callsWhoseServiceCodeGoesOnCountAgainstTheLimit() {
		this.service.behaves(Behaviour.SINK);
		try (ScriptedPeer peer = connected()) {
			for (int i = 0; i < ATTEMPTS; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Bidi"));
				if (i < CONCURRENT) {
					peer.reset(1 + 2 * i, CANCEL);
				}
				peer.deliver().loop.runAll();
			}
			assertThat(peer.executor.size()).as("calls that wait for a thread").isEqualTo(CONCURRENT);
			assertThat(peer.connection().abandonedCalls().count()).isEqualTo(CONCURRENT);
			peer.settle();
			assertThat(peer.connection().abandonedCalls().count()).isZero();
			assertThat(peer.telemetry.guards).as("a client that cannot know is not to blame").isEmpty();
			for (int i = CONCURRENT; i < ATTEMPTS; i++) {
				assertThat(peer.stream(1 + 2 * i).resetCode).isEqualTo(REFUSED_STREAM);
			}
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(999);
		}
		this.service.verify();
	}

	/**
	 * Each handler stays in its callback while the client resets its call and begins
	 * others: the handlers of a pool that ignore the cancellation.
	 */
	@Test
	void noMoreHandlersRunAtOnceThanCallsAreAllowed() {
		try (ScriptedPeer peer = connected()) {
			int[] next = { 1 };
			Runnable attack = () -> {
				for (int i = 0; i < 10; i++) {
					int streamId = next[0];
					next[0] += 2;
					peer.headers(streamId, ScriptedPeer.request("/t.Echo/Bidi")).reset(streamId, CANCEL).deliver();
					peer.loop.runAll();
				}
			};
			this.service.behaves(new Behaviour() {

				@Override
				public void started(ServedCall call) {
					AbandonedCallTests.this.running++;
					AbandonedCallTests.this.mostRunning = Math.max(AbandonedCallTests.this.mostRunning,
							AbandonedCallTests.this.running);
					if (next[0] < 2000) {
						int streamId = next[0];
						next[0] += 2;
						peer.headers(streamId, ScriptedPeer.request("/t.Echo/Bidi")).deliver().loop.runAll();
						while (peer.executor.hasTasks()) {
							// other threads of the pool, while this one is in its
							// callback
							peer.executor.run(0);
						}
						peer.reset(streamId, CANCEL).deliver().loop.runAll();
						attack.run();
					}
					AbandonedCallTests.this.running--;
				}

			});
			peer.headers(next[0], ScriptedPeer.request("/t.Echo/Bidi"));
			next[0] += 2;
			peer.play();
			assertThat(this.mostRunning).as("handlers at once").isEqualTo(CONCURRENT);
			for (int id = 1; id < next[0]; id += 2) {
				if (!peer.stream(id).isOver()) {
					peer.reset(id, CANCEL);
				}
			}
			peer.play();
			assertThat(peer.connection().abandonedCalls().count()).isZero();
			this.service.behaves(Behaviour.ECHO);
			peer.servesACall(next[0]);
		}
		this.service.verify();
	}

	@Test
	void callsThatEndWellAreNeverCounted() {
		this.service.behaves(Behaviour.ECHO);
		try (ScriptedPeer peer = connected()) {
			for (int i = 0; i < 20; i++) {
				peer.headers(1 + 2 * i, ScriptedPeer.request("/t.Echo/Unary"))
					.lastData(1 + 2 * i, ScriptedPeer.ABC)
					.deliver();
				while (peer.loop.hasTasks() || peer.executor.hasTasks()) {
					peer.loop.runAll();
					assertThat(peer.connection().abandonedCalls().count()).isZero();
					peer.executor.runAll();
				}
				assertThat(peer.stream(1 + 2 * i).status()).isZero();
			}
		}
	}

	static Stream<Arguments> endings() {
		return Stream.of(ending("the deadline passes", (peer) -> {
			peer.loop.advance(2, TimeUnit.SECONDS);
			peer.loop.advance(2, TimeUnit.SECONDS);
		}), ending("the client resets the stream", (peer) -> peer.reset(1, CANCEL).deliver()),
				ending("the connection is lost", (peer) -> peer.channel.breaks()),
				ending("the server shuts down", (peer) -> peer.connection().shutdownNow()),
				ending("the client breaks a rule", (peer) -> peer.illegalWindowUpdate(1, 0).deliver()),
				ending("the message is too large", (peer) -> peer.data(1, new byte[] { 0, 0x7f, 0, 0, 0 }).deliver()),
				ending("the executor is full, and the client resets the stream", (peer) -> {
					peer.executor.rejects(true);
					peer.reset(1, CANCEL).deliver();
				}), ending("the executor is full, and a message comes", (peer) -> {
					peer.executor.rejects(true);
					peer.data(1, ScriptedPeer.ABC).deliver();
				}));
	}

	private static Arguments ending(String name, Consumer<ScriptedPeer> ending) {
		return arguments(name, ending);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void theCountReturnsToZeroHoweverACallThatWaitsForItsThreadEnds(String name, Consumer<ScriptedPeer> ending) {
		this.service.behaves(Behaviour.SINK);
		ends(false, ending);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void theCountReturnsToZeroHoweverACallThatIsIdleEnds(String name, Consumer<ScriptedPeer> ending) {
		this.service.behaves(Behaviour.SINK);
		ends(true, ending);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void theCountReturnsToZeroWhenCallbacksThrow(String name, Consumer<ScriptedPeer> ending) {
		this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(1);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				throw new IllegalStateException("a message");
			}

			@Override
			public void ended(ServedCall call) {
				throw new IllegalStateException("an end");
			}

		});
		ends(true, ending);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void theCountReturnsToZeroWhenTheServiceHasClosedTheCallAndItsLastWordWaits(String name,
			Consumer<ScriptedPeer> ending) {
		this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.send(new byte[10]);
				call.close(Status.OK, new Metadata());
			}

		});
		try (ScriptedPeer peer = connected()) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/ClientStream", "grpc-timeout", "1S")).deliver();
			peer.loop.runAll();
			// the service has closed the call, and the loop has not heard of it
			peer.executor.runAll();
			ending.accept(peer);
			settled(peer);
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void callsThatNeverGetAThreadAreNotCounted(String name, Consumer<ScriptedPeer> ending) {
		try (ScriptedPeer peer = connected()) {
			peer.executor.rejects(true);
			open(peer);
			ending.accept(peer);
			settled(peer);
			assertThat(this.service.calls).isEmpty();
		}
	}

	@Test
	void aCallThatIsResetBeforeTheExecutorRefusesItIsNotCounted() {
		try (ScriptedPeer peer = connected()) {
			peer.executor.rejects(true);
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).reset(1, CANCEL).deliver();
			settled(peer);
			assertThat(this.service.calls).isEmpty();
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void theCountReturnsToZeroWhenTheServiceThrowsAtOnce(String name, Consumer<ScriptedPeer> ending) {
		this.service.behaves((call) -> {
			throw Status.INTERNAL.asRuntimeException();
		});
		ends(false, ending);
	}

	private void ends(boolean idle, Consumer<ScriptedPeer> ending) {
		try (ScriptedPeer peer = connected()) {
			open(peer);
			peer.loop.runAll();
			if (idle) {
				peer.settle();
			}
			ending.accept(peer);
			settled(peer);
		}
	}

	private void open(ScriptedPeer peer) {
		peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi", "grpc-timeout", "1S")).deliver();
	}

	/**
	 * What {@code rejected} hands to the common pool takes a thread that no test plays.
	 */
	private static void settled(ScriptedPeer peer) {
		assertThat(peer.connection().abandonedCalls().count()).isNotNegative();
		for (int round = 0; round < 100; round++) {
			peer.settle();
			ForkJoinPool.commonPool().awaitQuiescence(10, TimeUnit.SECONDS);
		}
		peer.settle();
		assertThat(peer.connection().abandonedCalls().count()).isZero();
	}

	private ScriptedPeer connected() {
		return ScriptedPeer.of(this.service).runsOffLoop().limits(CONCURRENT, 65535, 8192).connected();
	}

}
