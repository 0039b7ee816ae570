package dev.grpcloop.engine.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Codec;
import io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Messages that services off the event loop have got, and above all those that were small
 * on the wire and are large now: they count until the service is done with them (cases
 * B05 and B38).
 */
class UnpackedRequestTests {

	private static final int MIB = 1024 * 1024;

	private static final int CANCEL = 8;

	/** As bytes and as what is made of them. */
	private static final int UNPACKED = 2 * MIB;

	private static final int CALLS = 20;

	private static final byte[] PACKED = gzip(new byte[MIB + 1]);

	private final MemoryBudget budget = new MemoryBudget(8 * MIB);

	private final ScriptedService service = new ScriptedService();

	private final ScriptedPeer peer = ScriptedPeer.of(this.service).runsOffLoop().budget(this.budget).connected();

	/** What the connection held in the callback that got the last message. */
	private long heldInCallback;

	private static byte[] gzip(byte[] message) {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (OutputStream out = new Codec.Gzip().compress(packed)) {
			out.write(message);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return ByteBuffer.allocate(5 + packed.size())
			.put((byte) 1)
			.putInt(packed.size())
			.put(packed.toByteArray())
			.array();
	}

	private ScriptedPeer opens(int streamId, String method) {
		return this.peer.headers(streamId, ScriptedPeer.request("/t.Raw/" + method, "grpc-encoding", "gzip"));
	}

	private long held() {
		return this.peer.connection().memory().held();
	}

	/**
	 * Takes all messages; something happens in the midst of the callback for each.
	 */
	private void meanwhile(Runnable step) {
		this.service.behaves(new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.request(Integer.MAX_VALUE);
			}

			@Override
			public void message(ServedCall call, byte[] message) {
				UnpackedRequestTests.this.peer.loop.runAll();
				step.run();
				UnpackedRequestTests.this.peer.loop.runAll();
				UnpackedRequestTests.this.heldInCallback = held();
			}

		});
	}

	@AfterEach
	void nothingIsLeft() {
		this.peer.close();
		this.service.verify();
		assertThat(this.budget.used()).as("bytes that were not given back").isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Unary", "ServerStream" })
	void asManyCallsAsThereIsMemoryForGetTheirMessageAndTheOthersEnd(String method) {
		this.service.behaves(Behaviour.SINK);
		for (int i = 0; i < CALLS; i++) {
			opens(1 + 2 * i, method).lastData(1 + 2 * i, PACKED);
		}
		this.peer.play();
		int exhausted = 0;
		for (int i = 0; i < CALLS; i++) {
			if (this.peer.stream(1 + 2 * i).isOver()) {
				assertThat(this.peer.stream(1 + 2 * i).status()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
				exhausted++;
			}
		}
		assertThat(CALLS - exhausted).as("calls that go on").isEqualTo(3);
		assertThat(this.service.calls.stream().mapToInt((call) -> call.received.size()).sum()).isEqualTo(3);
		assertThat(this.peer.telemetry.guards).hasSize(exhausted).containsOnly(Guard.MEMORY);
		assertThat(this.budget.used()).isBetween(3L * UNPACKED, this.budget.limit());
		for (ServedCall call : this.service.calls) {
			if (!call.isEnded()) {
				this.peer.loop.leave(() -> call.close(Status.CANCELLED));
			}
		}
		this.peer.settle();
		assertThat(held()).isZero();
		this.service.behaves(Behaviour.ECHO);
		this.peer.servesACall(1001);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ClientStream", "Bidi" })
	void aStreamOfMessagesHoldsOneAtATime(String method) {
		meanwhile(() -> {
		});
		opens(1, method).play();
		long idle = held();
		for (int i = 0; i < CALLS; i++) {
			this.peer.data(1, PACKED);
		}
		this.peer.play();
		assertThat(this.service.onlyCall().received).hasSize(CALLS);
		assertThat(this.heldInCallback - idle).isBetween((long) UNPACKED, UNPACKED + 256 * 1024L);
		assertThat(held() - idle).isLessThan(32 * 1024);
	}

	@Test
	void aPlainMessageIsHeldUntilItsCallbackReturns() {
		meanwhile(() -> {
		});
		opens(1, "Bidi").play();
		long idle = held();
		this.peer.message(1, ScriptedPeer.message(new byte[60_000])).play();
		assertThat(this.heldInCallback - idle).isBetween(60_000L, 61_000L);
		assertThat(held()).isEqualTo(idle);
	}

	@Test
	void theOnlyMessageOfACallIsHeldUntilTheCallIsOver() {
		meanwhile(() -> {
		});
		opens(1, "Unary").play();
		long idle = held();
		this.peer.message(1, ScriptedPeer.message(new byte[60_000])).play();
		assertThat(held() - idle).isBetween(60_000L, 61_000L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Unary", "Bidi" })
	void aMessageThatItsMarshallerRefusesIsGivenBack(String method) {
		meanwhile(() -> {
		});
		opens(1, method).data(1, gzip(Arrays.copyOf(ScriptedService.poison(), MIB))).play();
		assertThat(this.peer.stream(1).status()).isEqualTo(Status.Code.UNKNOWN.value());
		assertThat(held()).isZero();
	}

	@Test
	void aSmallMessageTakesNothingOffTheLoop() {
		meanwhile(() -> {
		});
		opens(1, "Unary").play();
		long idle = held();
		this.peer.data(1, gzip(new byte[16 * 1024])).play();
		assertThat(this.service.onlyCall().received).hasSize(1);
		assertThat(this.heldInCallback - idle).isLessThan(1024);
	}

	static Stream<Arguments> endings() {
		return Stream.of(ending("the client resets the stream", (peer) -> peer.reset(1, CANCEL).deliver()),
				ending("the connection is lost", (peer) -> peer.channel.breaks()),
				ending("the server shuts down", (peer) -> peer.connection().shutdownNow()),
				ending("the client breaks a rule", (peer) -> peer.illegalWindowUpdate(1, 0).deliver()),
				ending("the deadline passes", (peer) -> {
					peer.loop.advance(2, TimeUnit.SECONDS);
					peer.loop.advance(2, TimeUnit.SECONDS);
				}));
	}

	private static Arguments ending(String name, Consumer<ScriptedPeer> ending) {
		return arguments(name, ending);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void whatAServiceHasIsHeldThoughItsStreamIsGone(String name, Consumer<ScriptedPeer> ending) {
		meanwhile(() -> ending.accept(this.peer));
		openWithDeadline();
		this.peer.data(1, PACKED).play();
		assertThat(this.heldInCallback).isGreaterThanOrEqualTo(UNPACKED);
		assertThat(held()).isNotPositive();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("endings")
	void whatAnIdleCallHoldsIsGivenBackThoughTheExecutorIsFull(String name, Consumer<ScriptedPeer> ending) {
		meanwhile(() -> {
		});
		openWithDeadline();
		this.peer.data(1, PACKED).play();
		assertThat(held()).isGreaterThanOrEqualTo(UNPACKED);
		this.service.runsWhere(() -> true);
		this.peer.executor.rejects(true);
		ending.accept(this.peer);
		// what is told of the end then takes a thread that no test plays
		for (int round = 0; round < 100; round++) {
			this.peer.settle();
			ForkJoinPool.commonPool().awaitQuiescence(10, TimeUnit.SECONDS);
		}
		assertThat(held()).isNotPositive();
	}

	private void openWithDeadline() {
		this.peer.headers(1, ScriptedPeer.request("/t.Raw/Unary", "grpc-encoding", "gzip", "grpc-timeout", "1S"))
			.play();
	}

}
