package dev.grpcloop.boot.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one event loop.
 */
final class LoopMeters implements LoopTelemetry {

	static final int CONNECTIONS_OPENED = 0;

	static final int CONNECTIONS_CLOSED = 1;

	static final int CALLS_STARTED = 2;

	static final int CALLS_CLOSED = 3;

	static final int BYTES_RECEIVED = 4;

	static final int BYTES_SENT = 5;

	/** The first of the guards, which follow in their order. */
	private static final int GUARDS = 6;

	private static final int SIZE = GUARDS + Guard.values().length;

	private static final String UNKNOWN_METHOD = "";

	private final Counters counters = new Counters(SIZE);

	private final BiFunction<@Nullable MethodDescriptor<?, ?>, Counters, MethodTelemetry> recorders;

	/** A loop of a restarted server goes on with the recorders of its predecessor. */
	private final Map<String, MethodTelemetry> methods = new ConcurrentHashMap<>();

	LoopMeters(BiFunction<@Nullable MethodDescriptor<?, ?>, Counters, MethodTelemetry> recorders) {
		this.recorders = recorders;
	}

	/**
	 * Where the trips of a guard are counted.
	 * @param guard the guard
	 * @return the index of its number
	 */
	static int trips(Guard guard) {
		return GUARDS + guard.ordinal();
	}

	long get(int index) {
		return this.counters.get(index);
	}

	@Override
	public void connectionOpened() {
		this.counters.add(CONNECTIONS_OPENED, 1);
	}

	@Override
	public void connectionClosed() {
		this.counters.add(CONNECTIONS_CLOSED, 1);
	}

	@Override
	public void bytesReceived(int bytes) {
		this.counters.add(BYTES_RECEIVED, bytes);
	}

	@Override
	public void bytesSent(int bytes) {
		this.counters.add(BYTES_SENT, bytes);
	}

	@Override
	public void guardTripped(Guard guard) {
		this.counters.add(trips(guard), 1);
	}

	@Override
	public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		String key = (method != null) ? method.getFullMethodName() : UNKNOWN_METHOD;
		return this.methods.computeIfAbsent(key, (name) -> this.recorders.apply(method, this.counters));
	}

}
