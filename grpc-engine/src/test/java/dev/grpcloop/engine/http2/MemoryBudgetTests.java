package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.grpc.Status;
import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is counted, and who gets more of it.
 */
class MemoryBudgetTests {

	private static final int MIB = 1024 * 1024;

	private static final int KIB = 1024;

	private final MemoryBudget budget = new MemoryBudget(4 * MIB);

	private final SteppedLoop eventLoop = new SteppedLoop();

	private final LoopMemory loop = new LoopMemory(this.budget, this.eventLoop);

	private static final int MOST_CONNECTIONS = 2 * 4 * MIB / 8192;

	private final List<ConnectionMemory> relieved = new ArrayList<>();

	private final List<ConnectionMemory> gone = new ArrayList<>();

	private ConnectionMemory connection() {
		return connection(-1);
	}

	private ConnectionMemory connection(long idleNanos) {
		ConnectionMemory[] self = new ConnectionMemory[1];
		self[0] = new ConnectionMemory(this.loop,
				new IdleHolder(idleNanos, () -> this.relieved.add(self[0]), () -> this.gone.add(self[0])));
		assertThat(self[0].open()).isTrue();
		return self[0];
	}

	@Test
	void theLimitIsAtLeastOneMebibyte() {
		assertThatIllegalArgumentException().isThrownBy(() -> new MemoryBudget(MIB - 1))
			.withMessageContaining("1048575")
			.withMessageContaining("1048576");
	}

	@Test
	void withoutALimitItIsAQuarterOfTheMemoryThatIsLess() {
		long memory = Math.min(PlatformDependent.maxDirectMemory(), Runtime.getRuntime().maxMemory());
		assertThat(MemoryBudget.defaultLimit()).isEqualTo(Math.max(MIB, memory / 4));
	}

	@Test
	void whatWasGivenBackBeforeItWasTakenIsNothingHeld() {
		this.budget.add(-5);
		assertThat(this.budget.used()).isZero();
		this.budget.add(7);
		assertThat(this.budget.used()).isEqualTo(2);
	}

	@Test
	void smallChangesAreReportedInSteps() {
		LoopMemory fine = new LoopMemory(new MemoryBudget(64 * MIB), this.eventLoop);
		for (int i = 0; i < 32; i++) {
			fine.add(KIB);
		}
		assertThat(fine.budget().used()).isZero();
		fine.add(1);
		assertThat(fine.budget().used()).isEqualTo(32 * KIB + 1);
		fine.add(-32 * KIB);
		assertThat(fine.budget().used()).isEqualTo(32 * KIB + 1);
		fine.report();
		assertThat(fine.budget().used()).isEqualTo(1);
	}

	@Test
	void theStepsAreSmallerWhereTheLimitIs() {
		LoopMemory fine = new LoopMemory(new MemoryBudget(MIB), this.eventLoop);
		fine.add(16 * KIB);
		assertThat(fine.budget().used()).isZero();
		fine.add(1);
		assertThat(fine.budget().used()).isEqualTo(16 * KIB + 1);
	}

	@Test
	void eachBoundIsWithinItsRange() {
		ConnectionMemory greedy = connection();
		ConnectionMemory modest = connection();
		greedy.add(4 * MIB);
		assertThat(this.budget.used()).isEqualTo(4 * MIB);
		assertThat(greedy.mayGrow()).isTrue();
		assertThat(greedy.isGreedy()).isFalse();
		this.budget.add(1);
		assertThat(greedy.mayGrow()).isFalse();
		assertThat(greedy.isGreedy()).isTrue();
		this.budget.add(MIB - 1);
		this.eventLoop.runAll();
		assertThat(this.relieved).isEmpty();
		this.budget.add(1);
		this.eventLoop.runAll();
		assertThat(this.relieved).containsExactly(greedy);
		this.budget.add(3 * MIB - 1);
		assertThat(this.budget.used()).isEqualTo(8 * MIB);
		assertThat(modest.mayGrow()).isTrue();
		this.budget.add(1);
		assertThat(modest.mayGrow()).isFalse();
	}

	@Test
	void toGiveBackIsNoReasonToGiveBackMore() {
		ConnectionMemory greedy = connection();
		greedy.add(6 * MIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).hasSize(1);
		this.eventLoop.advance(50, TimeUnit.MILLISECONDS);
		greedy.add(-64 * KIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).hasSize(1);
	}

	@Test
	void aConnectionThatHasEndedIsNotAskedForMore() {
		ConnectionMemory ended = connection();
		ConnectionMemory greedy = connection();
		// more than it may, so that it would be asked
		ended.add(4 * MIB + 64 * KIB);
		ended.close();
		greedy.add(5 * MIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).containsExactly(greedy);
	}

	@Test
	void aConnectionThatEndsReportsEverything() {
		ConnectionMemory first = connection();
		ConnectionMemory second = connection();
		first.add(5);
		first.add(-5);
		first.close();
		assertThat(this.budget.used()).isZero();
		second.close();
		assertThat(this.budget.used()).isZero();
		assertThat(this.budget.share()).isEqualTo(4 * MIB);
	}

	@Test
	void belowTheLimitEverybodyGetsMore() {
		ConnectionMemory greedy = connection();
		greedy.add(4 * MIB);
		assertThat(greedy.mayGrow()).isTrue();
		assertThat(greedy.isGreedy()).isFalse();
	}

	@Test
	void aboveTheLimitThoseWithinTheirShareGetMore() {
		ConnectionMemory greedy = connection();
		ConnectionMemory modest = connection();
		modest.add(2 * MIB);
		greedy.add(3 * MIB);
		assertThat(greedy.mayGrow()).isFalse();
		assertThat(greedy.isGreedy()).isTrue();
		assertThat(modest.mayGrow()).isTrue();
		assertThat(modest.isGreedy()).isFalse();
		modest.add(1);
		assertThat(modest.mayGrow()).isFalse();
	}

	@Test
	void howeverManyConnectionsThereAreEachMayHaveALittle() {
		ConnectionMemory first = connection();
		for (int i = 1; i < 1000; i++) {
			connection();
		}
		assertThat(this.budget.share()).isEqualTo(16 * KIB);
		assertThat(first.mayGrow()).isTrue();
	}

	@Test
	void aboveTwiceTheLimitNobodyGetsMoreAndNobodyComes() {
		ConnectionMemory greedy = connection();
		ConnectionMemory modest = connection();
		greedy.add(8 * MIB + 1);
		assertThat(modest.mayGrow()).isFalse();
		assertThat(new ConnectionMemory(this.loop, new IdleHolder(0)).open()).isFalse();
	}

	@Test
	void connectionsThatDoNothingTakeNothingFromTheOthers() {
		ConnectionMemory first = connection();
		for (int i = 1; i < MOST_CONNECTIONS; i++) {
			connection();
		}
		assertThat(this.budget.used()).isZero();
		first.add(4 * MIB);
		assertThat(first.mayGrow()).isTrue();
	}

	@Test
	void whereThereAreTooManyConnectionsTheOneThatIsIdleForTheLongestTimeGoes() {
		connection(5);
		ConnectionMemory idlest = connection(7);
		connection(6);
		for (int i = 3; i < MOST_CONNECTIONS; i++) {
			connection();
		}
		assertThat(this.gone).isEmpty();
		connection(0);
		assertThat(this.gone).containsExactly(idlest);
	}

	@Test
	void whereAllConnectionsHaveCallsNobodyComes() {
		for (int i = 0; i < MOST_CONNECTIONS; i++) {
			connection();
		}
		ConnectionMemory late = new ConnectionMemory(this.loop, new IdleHolder(0));
		assertThat(late.open()).isFalse();
		assertThat(this.gone).isEmpty();
	}

	@Test
	void farAboveTheLimitTheGreedyGiveBackTheLargestFirst() {
		ConnectionMemory modest = connection();
		ConnectionMemory large = connection();
		ConnectionMemory largest = connection();
		modest.add(MIB);
		large.add(MIB + MIB / 2);
		largest.add(2 * MIB + MIB / 2 - 32 * KIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).isEmpty();
		modest.add(64 * KIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).containsExactly(largest, large);
		modest.add(64 * KIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).as("not again at once").hasSize(2);
		this.eventLoop.advance(50, TimeUnit.MILLISECONDS);
		modest.add(64 * KIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).hasSize(4);
	}

	@Test
	void otherLoopsGiveBackToo() {
		ConnectionMemory greedy = connection();
		greedy.add(4 * MIB + 64 * KIB);
		this.eventLoop.runAll();
		new LoopMemory(this.budget, new SteppedLoop()).add(2 * MIB);
		this.eventLoop.runAll();
		assertThat(this.relieved).containsExactly(greedy);
	}

	@Test
	void theRefusalSaysHowMuchThereIs() {
		ConnectionMemory greedy = connection();
		this.budget.connectionOpened();
		greedy.add(5 * MIB);
		Status status = greedy.exhausted();
		assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		assertThat(status.getDescription()).contains("5242880 bytes for its clients",
				"5242880 of them for this connection", "its limit is 4194304", "may have 2097152");
	}

}
