package dev.grpcloop.boot.metrics;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import dev.grpcloop.boot.executor.CallExecutor;
import dev.grpcloop.boot.statistics.ExecutorStatistics;
import dev.grpcloop.boot.statistics.LoopStatistics;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics.BlockedCallbacks;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * All that the engine's meters of one registry read. A meter is in a registry once, even
 * if several contexts, each with a server, write to it: it tells their sum.
 * <p>
 * The numbers of a context that has ended stay in the sum, since counters must not fall.
 * They are plain numbers that refer to nothing; all else is held weakly, so that no
 * registry keeps a context, and no meter a server.
 */
final class Sources {

	private static final Map<MeterRegistry, Sources> ALL = new WeakHashMap<>();

	private final List<LoopStatistics> loops = new CopyOnWriteArrayList<>();

	private final List<ExecutorStatistics> executors = new CopyOnWriteArrayList<>();

	/** By the full name of the method; what refers to the method is not kept. */
	private final Map<String, List<LongAdder>> blocked = new ConcurrentHashMap<>();

	private final List<LongSupplier> accessLogs = new CopyOnWriteArrayList<>();

	private final List<WeakReference<ServerStatistics>> statistics = new CopyOnWriteArrayList<>();

	private final List<WeakReference<ServerMeters>> servers = new CopyOnWriteArrayList<>();

	private Sources() {
	}

	static Sources of(MeterRegistry registry) {
		synchronized (ALL) {
			return ALL.computeIfAbsent(registry, (key) -> new Sources());
		}
	}

	/**
	 * Adds the numbers of a context, without its loops.
	 * @param statistics the numbers
	 * @return whether they are new
	 */
	synchronized boolean add(ServerStatistics statistics) {
		if (present(this.statistics).anyMatch((known) -> known == statistics)) {
			return false;
		}
		this.statistics.removeIf((reference) -> reference.get() == null);
		this.statistics.add(new WeakReference<>(statistics));
		this.executors.add(statistics.executorStatistics());
		return true;
	}

	void add(LoopStatistics loop) {
		this.loops.add(loop);
	}

	void add(BlockedCallbacks callbacks) {
		this.blocked.computeIfAbsent(callbacks.method().getFullMethodName(), (name) -> new CopyOnWriteArrayList<>())
			.add(callbacks.times());
	}

	synchronized void add(ServerMeters server) {
		if (present(this.servers).noneMatch((known) -> known == server)) {
			this.servers.removeIf((reference) -> reference.get() == null);
			this.servers.add(new WeakReference<>(server));
		}
	}

	synchronized void addAccessLog(LongSupplier dropped) {
		if (!this.accessLogs.contains(dropped)) {
			this.accessLogs.add(dropped);
		}
	}

	long missingInAccessLogs() {
		return this.accessLogs.stream().mapToLong(LongSupplier::getAsLong).sum();
	}

	long loops(ToLongFunction<LoopStatistics> number) {
		return this.loops.stream().mapToLong(number).sum();
	}

	/** Those with one index: one of each server. */
	Stream<LoopStatistics> loops(int index) {
		return this.loops.stream().filter((loop) -> loop.index() == index);
	}

	long executors(ToLongFunction<ExecutorStatistics> number) {
		return this.executors.stream().mapToLong(number).sum();
	}

	long longestWaitNanos() {
		return this.executors.stream().mapToLong(ExecutorStatistics::longestWaitNanos).max().orElse(0);
	}

	long blocked(String fullMethodName) {
		return this.blocked.getOrDefault(fullMethodName, List.of()).stream().mapToLong(LongAdder::sum).sum();
	}

	long calls(ToLongFunction<MethodStatistics> number) {
		return present(this.statistics).flatMap((statistics) -> statistics.methods().stream()).mapToLong(number).sum();
	}

	double servers(ToDoubleFunction<ServerMeters> number) {
		return present(this.servers).mapToDouble(number).sum();
	}

	double pools(ToIntFunction<CallExecutor.Pool> number) {
		return present(this.servers).map(ServerMeters::pool).filter(Objects::nonNull).mapToInt(number).sum();
	}

	private static <T> Stream<T> present(List<WeakReference<T>> references) {
		return references.stream().map(WeakReference::get).filter(Objects::nonNull);
	}

}
