package dev.grpcloop.engine.soak;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The memory in use at the end of each round, when nothing runs.
 */
final class Memory {

	private static final long MIB = 1024 * 1024;

	/** What classes, caches and the allocator's chunks may add. */
	private static final long SLACK = 24 * MIB;

	private final List<Long> heap = new ArrayList<>();

	private final List<Long> direct = new ArrayList<>();

	void sample() {
		System.gc();
		System.gc();
		this.heap.add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		ByteBufAllocatorMetric metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
		this.direct.add(metric.usedDirectMemory());
	}

	/**
	 * Fails if there is more in use in the last quarter of the rounds than in the first.
	 */
	void assertFlat() {
		assertFlat("heap", this.heap);
		assertFlat("direct memory", this.direct);
	}

	private static void assertFlat(String name, List<Long> samples) {
		int quarter = Math.max(1, samples.size() / 4);
		long first = least(samples.subList(0, quarter));
		long last = least(samples.subList(samples.size() - quarter, samples.size()));
		assertThat(last).as("%s in MiB, round by round: %s", name, inMiB(samples)).isLessThan(first + SLACK);
	}

	private static long least(List<Long> samples) {
		return samples.stream().mapToLong(Long::longValue).min().orElseThrow();
	}

	private static List<Long> inMiB(List<Long> samples) {
		return samples.stream().map((bytes) -> bytes / MIB).toList();
	}

	@Override
	public String toString() {
		return "heap " + inMiB(this.heap) + " MiB, direct memory " + inMiB(this.direct) + " MiB";
	}

}
