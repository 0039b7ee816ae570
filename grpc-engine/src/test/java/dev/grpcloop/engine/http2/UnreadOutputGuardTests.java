package dev.grpcloop.engine.http2;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much may wait for a peer, to the byte.
 */
class UnreadOutputGuardTests {

	private static final int MIB = 1024 * 1024;

	private final MemoryBudget budget = new MemoryBudget(4 * MIB);

	private final LoopMemory loop = new LoopMemory(this.budget, new SteppedLoop());

	private final ConnectionMemory memory = connection();

	private final UnreadOutputGuard guard = new UnreadOutputGuard(this.memory);

	@Test
	void whileThereIsMemoryEightMebibytesMayWait() {
		others(99);
		assertLimit(8 * MIB);
	}

	@Test
	void whileItIsScarceAGreedyConnectionHasAQuarterOfAMebibyte() {
		others(99);
		this.memory.add(5 * MIB);
		assertLimit(256 * 1024);
	}

	@Test
	void orItsShareIfThatIsMore() {
		others(3);
		this.memory.add(5 * MIB);
		assertLimit(MIB);
	}

	@Test
	void whenItIsFullAGreedyConnectionHasItsShareHoweverSmall() {
		others(99);
		this.memory.add(9 * MIB);
		assertLimit(this.budget.share());
		assertThat(this.budget.share()).isLessThan(256 * 1024);
	}

	@Test
	void aModestConnectionIsNotMeant() {
		others(99);
		this.budget.add(9 * MIB);
		assertLimit(8 * MIB);
	}

	private void assertLimit(long limit) {
		assertThat(this.guard.isExceeded(limit)).isFalse();
		assertThat(this.guard.isExceeded(limit + 1)).isTrue();
	}

	private void others(int count) {
		for (int i = 0; i < count; i++) {
			connection();
		}
	}

	private ConnectionMemory connection() {
		ConnectionMemory connection = new ConnectionMemory(this.loop, new IdleHolder(-1));
		connection.open();
		return connection;
	}

}
