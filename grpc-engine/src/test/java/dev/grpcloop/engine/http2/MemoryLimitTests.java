package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import dev.grpcloop.engine.http2.ServedCall.Behaviour;
import dev.grpcloop.engine.telemetry.Guard;
import io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that have the server hold as much as it will, in every way there is, beside one
 * that does not (case B38): the memory is bounded, and the one is served.
 */
class MemoryLimitTests {

	private static final int MIB = 1024 * 1024;

	private static final int EXHAUSTED = Status.Code.RESOURCE_EXHAUSTED.value();

	private static final int MAX_MESSAGE = 4 * MIB;

	private static final int FRAME = 16 * 1024;

	private final MemoryBudget budget = new MemoryBudget(8 * MIB);

	private final List<ScriptedPeer> peers = new ArrayList<>();

	/** The most that was ever counted. */
	private long most;

	private ScriptedPeer peer(Behaviour behaviour, boolean offLoop, int... settings) {
		ScriptedPeer.Server server = ScriptedPeer.of(new ScriptedService().behaves(behaviour))
			.budget(this.budget)
			.life(WriteStallTests.PINGS_PERMITTED);
		ScriptedPeer peer = (offLoop ? server.runsOffLoop() : server).connected(settings);
		this.peers.add(peer);
		return peer;
	}

	private void note() {
		this.most = Math.max(this.most, this.budget.used());
	}

	/**
	 * At most a quarter above the limit, and what one connection had taken when it came
	 * to that.
	 */
	private void assertBounded() {
		assertThat(this.most).isBetween(this.budget.limit() * 9 / 10, this.budget.limit() * 5 / 4 + 2 * MIB);
	}

	/**
	 * Lets all that was put off happen.
	 */
	private void settleAll() {
		this.peers.forEach((peer) -> {
			peer.loop.advance(50, TimeUnit.MILLISECONDS);
			peer.settle();
		});
	}

	private static void forStreams(int count, IntConsumer step) {
		for (int id = 1; id < 2 * count; id += 2) {
			step.accept(id);
		}
	}

	private static long ended(ScriptedPeer peer, int count) {
		long[] ended = new long[1];
		forStreams(count, (id) -> {
			if (peer.stream(id).isOver()) {
				assertThat(peer.stream(id).status()).isEqualTo(EXHAUSTED);
				ended[0]++;
			}
		});
		return ended[0];
	}

	@AfterEach
	void nothingIsLeft() {
		this.peers.forEach(ScriptedPeer::close);
		assertThat(this.budget.used()).as("bytes that were not given back").isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aThousandMessagesOneByteShort(boolean offLoop) {
		ScriptedPeer attacker = peer(Behaviour.SINK, offLoop);
		ScriptedPeer honest = peer(Behaviour.ECHO, offLoop);
		byte[] start = ScriptedPeer.message(new byte[MAX_MESSAGE]);
		forStreams(1000, (id) -> {
			attacker.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).data(id, Arrays.copyOf(start, FRAME));
			attacker.play();
		});
		for (int round = 1; round < MAX_MESSAGE / FRAME; round++) {
			forStreams(1000, (id) -> {
				if (!attacker.stream(id).isOver()) {
					attacker.data(id, new byte[FRAME]).play();
					note();
				}
			});
			honest.servesACall(2 * round - 1);
		}
		assertBounded();
		long ended = ended(attacker, 1000);
		assertThat(ended).isGreaterThan(990);
		assertThat(attacker.telemetry.guards).containsOnly(Guard.MEMORY).hasSize((int) ended);
		assertThat(honest.telemetry.guards).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void messagesThatTheServiceDoesNotTake(boolean offLoop) {
		ScriptedPeer attacker = peer(Behaviour.SILENT, offLoop);
		ScriptedPeer honest = peer(Behaviour.ECHO, offLoop);
		// empty messages take many times their five bytes
		byte[] many = new byte[5 * 3000];
		forStreams(100, (id) -> {
			attacker.headers(id, ScriptedPeer.request("/t.Raw/Bidi")).play();
			for (int i = 0; i < 10 && !attacker.stream(id).isOver(); i++) {
				attacker.data(id, many).play();
				note();
			}
		});
		assertBounded();
		assertThat(ended(attacker, 100)).isPositive();
		honest.servesACall(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callsThatDoNothing(boolean offLoop) {
		ScriptedPeer honest = peer(Behaviour.ECHO, offLoop);
		for (int connection = 0; connection < 8; connection++) {
			ScriptedPeer attacker = peer(Behaviour.SILENT, offLoop);
			forStreams(1000, (id) -> attacker.headers(id, ScriptedPeer.request("/t.Raw/Bidi")));
			attacker.play();
			note();
			settleAll();
			honest.servesACall(2 * connection + 1);
		}
		assertBounded();
		ScriptedPeer last = this.peers.get(8);
		assertThat(ended(last, 1000)).isPositive();
		assertThat(last.connection().streams()).isNotEmpty();
	}

	/**
	 * Case B38 (a).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void responsesWithoutCredit(boolean offLoop) {
		ScriptedPeer honest = peer(Behaviour.ECHO, offLoop);
		Behaviour large = answering(new byte[MIB]);
		for (int connection = 0; connection < 5; connection++) {
			ScriptedPeer attacker = peer(large, offLoop, 0x4, 0);
			forStreams(100, (id) -> {
				attacker.lastHeaders(id, ScriptedPeer.request("/t.Raw/Unary")).play();
				note();
			});
			settleAll();
			honest.servesACall(2 * connection + 1);
		}
		assertBounded();
	}

	/**
	 * Case B38 (c).
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void responsesWithCreditThatTheSocketDoesNotTake(boolean offLoop) {
		ScriptedPeer honest = peer(Behaviour.ECHO, offLoop);
		Behaviour large = answering(new byte[MIB]);
		for (int connection = 0; connection < 20; connection++) {
			ScriptedPeer attacker = peer(large, offLoop, 0x4, 1 << 24);
			attacker.windowUpdate(0, 1 << 30).play();
			attacker.channel.socketTakes(0);
			forStreams(20, (id) -> {
				attacker.lastHeaders(id, ScriptedPeer.request("/t.Raw/Unary")).play();
				note();
			});
			settleAll();
			honest.servesACall(2 * connection + 1);
		}
		assertBounded();
	}

	private static Behaviour answering(byte[] message) {
		return new Behaviour() {

			@Override
			public void started(ServedCall call) {
				call.send(message);
				if (!call.call.isCancelled()) {
					call.close(Status.OK);
				}
			}

		};
	}

	@Test
	void answersThatAreNotRead() {
		ScriptedPeer honest = peer(Behaviour.ECHO, false);
		List<ScriptedPeer> attackers = new ArrayList<>();
		for (int connection = 0; connection < 50; connection++) {
			ScriptedPeer attacker = peer(Behaviour.SILENT, false);
			attackers.add(attacker);
			attacker.channel.socketTakes(0);
			for (int i = 0; i < 100 && !attacker.isLeft(); i++) {
				for (int ping = 0; ping < 1000; ping++) {
					attacker.ping(ping);
				}
				attacker.play();
				note();
			}
			settleAll();
			honest.servesACall(2 * connection + 1);
		}
		assertBounded();
		assertThat(attackers).filteredOn(ScriptedPeer::isLeft)
			.isNotEmpty()
			.allSatisfy((attacker) -> assertThat(attacker.telemetry.guards).containsExactly(Guard.UNREAD_OUTPUT));
	}

	@Test
	void partsOfFramesAreCounted() {
		ScriptedPeer peer = peer(Behaviour.SILENT, false);
		long before = peer.connection().memory().held();
		peer.raw(new byte[] { 0, 0x40, 0, 0, 0 }).play();
		assertThat(peer.connection().memory().held() - before).isGreaterThanOrEqualTo(16 * 1024);
		peer.raw(new byte[] { 0, 0, 0, 1 });
	}

	@Test
	void aRequestThatFindsNoRoomIsAnsweredAndAnotherFindsSome() {
		ScriptedPeer peer = peer(Behaviour.ECHO, false);
		this.budget.add(3 * this.budget.limit());
		peer.headers(1, ScriptedPeer.request("/t.Echo/Unary")).data(1, ScriptedPeer.ABC).play();
		assertThat(peer.stream(1).status()).isEqualTo(EXHAUSTED);
		assertThat(peer.stream(1).isReset()).isTrue();
		peer.lastHeaders(3, ScriptedPeer.request("/t.Echo/Unary")).play();
		assertThat(peer.stream(3).status()).isEqualTo(EXHAUSTED);
		assertThat(peer.stream(3).isReset()).isFalse();
		assertThat(peer.telemetry.guards).containsExactly(Guard.MEMORY, Guard.MEMORY);
		this.budget.add(-3 * this.budget.limit());
		peer.servesACall(5);
	}

	@Test
	void aConnectionThatFindsNoRoomIsClosedAtOnce() {
		ScriptedPeer first = peer(Behaviour.ECHO, false);
		this.budget.add(3 * this.budget.limit());
		ScriptedPeer second = ScriptedPeer.of(new ScriptedService()).budget(this.budget).accepted();
		this.peers.add(second);
		second.settle();
		assertThat(second.isConnected()).isFalse();
		assertThat(second.telemetry.guards).containsExactly(Guard.MEMORY);
		assertThat(first.isConnected()).isTrue();
		this.budget.add(-3 * this.budget.limit());
	}

	@Test
	void aGreedyConnectionGetsItsMessagesOnlyAsItTakesThem() {
		ScriptedPeer greedy = peer(answering(new byte[MIB]), false, 0x4, 1 << 24);
		greedy.windowUpdate(0, 1 << 30).play();
		greedy.channel.socketTakes(0);
		for (int other = 0; other < 15; other++) {
			this.budget.connectionOpened();
		}
		this.budget.add(this.budget.limit());
		// one call is more than the share, which is seen when it is written
		greedy.lastHeaders(1, ScriptedPeer.request("/t.Raw/Unary")).play();
		assertThat(greedy.connection().outboundFlow().isPaused()).isTrue();
		assertThat(greedy.connection().outboundFlow().isWritable()).isFalse();
		greedy.channel.socketTakes(10);
		greedy.settle();
		assertThat(greedy.connection().outboundFlow().isPaused()).isTrue();
		greedy.channel.socketTakes(Long.MAX_VALUE);
		greedy.settle();
		assertThat(greedy.connection().outboundFlow().isPaused()).isFalse();
		assertThat(greedy.stream(1).status()).isZero();
		assertThat(greedy.stream(1).body.size()).isEqualTo(MIB + 5);
		this.budget.add(-this.budget.limit());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatACallHoldsIsGivenBackAsItIsTaken(boolean offLoop) {
		ScriptedPeer peer = peer(Behaviour.SILENT, offLoop, 0x4, 0);
		peer.headers(1, ScriptedPeer.request("/t.Raw/Bidi")).play();
		long idle = peer.connection().memory().held();
		for (int i = 0; i < 10; i++) {
			peer.message(1, ScriptedPeer.message(new byte[10_000]));
		}
		peer.play();
		assertThat(peer.connection().memory().held() - idle).isBetween(100_000L, 101_000L);
		ServedCall call = serviceCall(peer);
		act(peer, () -> call.request(10));
		assertThat(peer.connection().memory().held() - idle).isLessThan(2 * FRAME);
		act(peer, () -> call.send(new byte[50_000]));
		assertThat(peer.connection().memory().held() - idle).isBetween(50_000L, 51_000L + 2 * FRAME);
		peer.windowUpdate(1, 1 << 20).play();
		assertThat(peer.connection().memory().held() - idle).isLessThan(2 * FRAME);
		peer.reset(1, 8).play();
		assertThat(peer.connection().memory().held()).isZero();
	}

	private static ServedCall serviceCall(ScriptedPeer peer) {
		return peer.service().onlyCall();
	}

	private static void act(ScriptedPeer peer, Runnable step) {
		if (peer.runsOffLoop()) {
			peer.loop.leave(step);
		}
		else {
			peer.loop.enter(step);
		}
		peer.settle();
	}

}
