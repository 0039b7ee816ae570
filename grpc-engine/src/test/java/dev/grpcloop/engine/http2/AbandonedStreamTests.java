package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import io.grpc.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A stream that is given up, in every state and by everyone who can: all credit comes
 * back, nothing stays in memory, the service is told once, and the connection serves on
 * (case B44).
 */
class AbandonedStreamTests {

	private static final int WINDOW = 1024 * 1024;

	private final ScriptedService service = new ScriptedService();

	static Stream<Arguments> abandoned() {
		List<Arguments> all = new ArrayList<>();
		for (boolean offLoop : new boolean[] { false, true }) {
			for (Stage stage : Stage.values()) {
				for (Way way : Way.values()) {
					all.add(arguments(stage, way, offLoop));
				}
			}
		}
		return all.stream();
	}

	@ParameterizedTest(name = "{0}, {1}, off loop: {2}")
	@MethodSource("abandoned")
	void leavesNothing(Stage stage, Way way, boolean offLoop) {
		this.service.behaves(Behaviour.SILENT);
		ScriptedPeer.Server server = ScriptedPeer.of(this.service);
		try (ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(0x4, 10)) {
			peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi"));
			if (stage == Stage.HEADERS_IN_THE_SAME_READ) {
				peer.message(1, ScriptedPeer.message(new byte[50]));
			}
			else {
				peer.play();
				reach(stage, peer);
				if (stage != Stage.TASKS_WAIT) {
					peer.settle();
				}
			}
			abandon(way, peer, stage);
			peer.settle();
			InboundFlow flow = peer.connection().inboundFlow();
			assertThat(peer.connection().streams().isEmpty()).as("streams that are left").isTrue();
			assertThat(flow.unconsumed()).as("bytes held").isZero();
			assertThat(flow.creditWithPending()).as("credit").isEqualTo(WINDOW);
			assertThat(peer.connection().frames().hasUnflushed()).isFalse();
			for (ServedCall call : this.service.calls) {
				assertThat(call.cancelled ^ call.completed).as("one end").isTrue();
				assertThat(call.call.isCancelled()).isEqualTo(call.cancelled);
			}
			assertThat(peer.telemetry.faults()).filteredOn((fault) -> fault.contains("calls")).isEmpty();
			this.service.verify();
			if (way != Way.LOST_CONNECTION && way != Way.SHUTDOWN_NOW && way != Way.CONNECTION_ERROR) {
				this.service.behaves(Behaviour.ECHO);
				peer.settings(0x4, 65535).servesACall(3);
			}
		}
	}

	private void reach(Stage stage, ScriptedPeer peer) {
		byte[] message = ScriptedPeer.message(new byte[30_000]);
		switch (stage) {
			case PREFIX -> peer.data(1, Arrays.copyOf(message, 3)).play();
			case MESSAGE -> peer.data(1, Arrays.copyOf(message, 10_000)).play();
			case MESSAGE_THAT_IS_WANTED -> {
				acts(peer, () -> this.service.onlyCall().request(1));
				peer.data(1, Arrays.copyOf(message, 10_000)).play();
			}
			case MESSAGE_NOT_REQUESTED -> peer.message(1, message).play();
			case MESSAGE_TAKEN -> {
				acts(peer, () -> this.service.onlyCall().request(1));
				peer.message(1, message).play();
			}
			case END_OF_STREAM -> peer.message(1, message).lastData(1).play();
			case RESPONSE_QUEUED -> acts(peer, () -> this.service.onlyCall().send(new byte[100_000]));
			case RESPONSE_QUEUED_WITH_TRAILERS -> {
				peer.message(1, message).lastData(1).play();
				acts(peer, () -> {
					this.service.onlyCall().send(new byte[100_000]);
					this.service.onlyCall().close(Status.OK);
				});
			}
			case TASKS_WAIT -> peer.message(1, message).deliver();
			default -> {
				// nothing more
			}
		}
	}

	private void abandon(Way way, ScriptedPeer peer, Stage stage) {
		switch (way) {
			case RESET -> peer.reset(1, 8).play();
			case STREAM_ERROR -> peer.illegalWindowUpdate(1, 0).play();
			case BROKEN_FRAMING -> {
				if (stage == Stage.END_OF_STREAM || stage == Stage.RESPONSE_QUEUED_WITH_TRAILERS) {
					// nothing more can come on it
					peer.reset(1, 8).play();
				}
				else {
					// in the middle of a message this is a part of it, and then the end
					peer.lastData(1, (byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 0).play();
					finishIfLeft(peer);
				}
			}
			case CLOSED_BY_SERVICE -> {
				peer.play();
				finishIfLeft(peer);
			}
			case CONNECTION_ERROR -> peer.illegalWindowUpdate(0, 0).play();
			case LOST_CONNECTION -> {
				peer.deliver();
				peer.channel.breaks();
			}
			case SHUTDOWN_NOW -> {
				peer.deliver();
				peer.loop.leave(peer.connection()::shutdownNow);
			}
		}
	}

	/**
	 * The service closes the call, and the client takes what was queued.
	 */
	private void finishIfLeft(ScriptedPeer peer) {
		if (!this.service.calls.isEmpty() && !this.service.onlyCall().isDone()) {
			acts(peer, () -> this.service.onlyCall().close(Status.ABORTED));
		}
		peer.settings(0x4, 1 << 20).windowUpdate(0, 1 << 20).play();
	}

	private void acts(ScriptedPeer peer, Runnable step) {
		if (peer.runsOffLoop()) {
			peer.loop.leave(step);
		}
		else {
			peer.loop.enter(step);
		}
		peer.settle();
	}

	/**
	 * How far the stream is.
	 */
	enum Stage {

		HEADERS_IN_THE_SAME_READ, HEADERS, PREFIX, MESSAGE, MESSAGE_THAT_IS_WANTED, MESSAGE_NOT_REQUESTED,
		MESSAGE_TAKEN, END_OF_STREAM, RESPONSE_QUEUED, RESPONSE_QUEUED_WITH_TRAILERS, TASKS_WAIT

	}

	/**
	 * Who gives it up, and how.
	 */
	enum Way {

		RESET, STREAM_ERROR, BROKEN_FRAMING, CLOSED_BY_SERVICE, CONNECTION_ERROR, LOST_CONNECTION, SHUTDOWN_NOW

	}

}
