package dev.grpcloop.boot.statistics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the engine counts.
 * <p>
 * One instance serves one server at a time. After a restart the loops go on with the
 * numbers of their predecessors, so that numbers never fall.
 */
public final class ServerStatistics implements EngineTelemetry {

	private static final String UNKNOWN_METHOD = "";

	private final CallRecorder.Factory recorders;

	private final Map<Integer, LoopStatistics> loops = new ConcurrentSkipListMap<>();

	private final Map<Integer, LoopRecorder> loopRecorders = new ConcurrentHashMap<>();

	private final ExecutorRecorder executor = new ExecutorRecorder();

	private final ExecutorStatistics executorStatistics = new ExecutorStatistics(this.executor);

	private final Map<String, MethodStatistics> methods = new ConcurrentSkipListMap<>();

	private final Map<String, BlockedCallbacks> blocked = new ConcurrentHashMap<>();

	private final List<Listener> listeners = new ArrayList<>();

	/**
	 * Keeps numbers, and tells others of what cannot be read from them later.
	 * @param recorders hear of the end of each call
	 */
	public ServerStatistics(CallRecorder.Factory recorders) {
		this.recorders = recorders;
	}

	/**
	 * Keeps numbers.
	 */
	public ServerStatistics() {
		this(CallRecorder.Factory.NOOP);
	}

	/**
	 * Returns the event loops that the server has, or had before a restart.
	 * @return the loops in their order; a view
	 */
	public Collection<LoopStatistics> loops() {
		return Collections.unmodifiableCollection(this.loops.values());
	}

	/**
	 * Returns the methods that the server has, or had before a restart, and one for all
	 * that it does not know.
	 * @return the methods in the order of their names; a view
	 */
	public Collection<MethodStatistics> methods() {
		return Collections.unmodifiableCollection(this.methods.values());
	}

	/**
	 * Returns the callbacks of service code that held an event loop for too long.
	 * @return a number for each method that has one; a view
	 */
	public Collection<BlockedCallbacks> blocked() {
		return Collections.unmodifiableCollection(this.blocked.values());
	}

	/**
	 * Returns the numbers of what goes to executors, those of all servers together.
	 * @return the numbers
	 */
	public ExecutorStatistics executorStatistics() {
		return this.executorStatistics;
	}

	/**
	 * Adds a listener.
	 * @param listener hears of all that is there, now, and of all that comes, on whatever
	 * thread
	 */
	public synchronized void addListener(Listener listener) {
		this.listeners.add(listener);
		this.loops.values().forEach(listener::loopAdded);
		this.blocked.values().forEach(listener::blockedAdded);
	}

	/**
	 * Adds up a number of the event loops.
	 * @param number which
	 * @return the sum
	 */
	public long sum(ToLongFunction<LoopStatistics> number) {
		long sum = 0;
		for (LoopStatistics loop : this.loops.values()) {
			sum += number.applyAsLong(loop);
		}
		return sum;
	}

	@Override
	public synchronized LoopTelemetry loop(int loop) {
		return this.loopRecorders.computeIfAbsent(loop, this::addLoop);
	}

	private LoopRecorder addLoop(int index) {
		Counters counters = new Counters(LoopCells.SIZE);
		RecentMaximum longestTurn = new RecentMaximum(System::nanoTime);
		LoopStatistics statistics = new LoopStatistics(index, counters, longestTurn, System::nanoTime);
		this.loops.put(index, statistics);
		this.listeners.forEach((listener) -> listener.loopAdded(statistics));
		return new LoopRecorder(counters, longestTurn, this::recorder);
	}

	@Override
	public ExecutorTelemetry executor() {
		return this.executor;
	}

	private MethodTelemetry recorder(@Nullable MethodDescriptor<?, ?> method) {
		String key = (method != null) ? method.getFullMethodName() : UNKNOWN_METHOD;
		MethodRecorder recorder = new MethodRecorder(this.recorders.create(method));
		this.methods.computeIfAbsent(key, (name) -> {
			MethodStatistics statistics = new MethodStatistics(method);
			this.recorders.methodAdded(statistics);
			return statistics;
		}).add(recorder);
		return recorder;
	}

	@Override
	public void loopBlocked(MethodDescriptor<?, ?> method, long nanos) {
		BlockedCallbacks callbacks = this.blocked.get(method.getFullMethodName());
		((callbacks != null) ? callbacks : addBlocked(method)).times().increment();
	}

	private synchronized BlockedCallbacks addBlocked(MethodDescriptor<?, ?> method) {
		return this.blocked.computeIfAbsent(method.getFullMethodName(), (name) -> {
			BlockedCallbacks callbacks = new BlockedCallbacks(method, new LongAdder());
			this.listeners.forEach((listener) -> listener.blockedAdded(callbacks));
			return callbacks;
		});
	}

	/**
	 * Hears of what is not known from the start.
	 */
	public interface Listener {

		/**
		 * An event loop got its numbers. Comes once for each.
		 * @param loop the numbers
		 */
		default void loopAdded(LoopStatistics loop) {
		}

		/**
		 * Service code has held an event loop for too long. Comes once for each method.
		 * @param callbacks their number
		 */
		default void blockedAdded(BlockedCallbacks callbacks) {
		}

	}

	/**
	 * Callbacks of one method that held an event loop for too long.
	 *
	 * @param method the method
	 * @param times how often it happened
	 */
	public record BlockedCallbacks(MethodDescriptor<?, ?> method, LongAdder times) {
	}

}
