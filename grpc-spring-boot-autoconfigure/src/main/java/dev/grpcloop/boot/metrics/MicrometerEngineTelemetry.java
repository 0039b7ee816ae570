package dev.grpcloop.boot.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import org.jspecify.annotations.Nullable;

/**
 * Writes the engine's numbers to a Micrometer registry:
 * <ul>
 * <li>{@code grpc.server}, a timer of the calls, tagged {@code rpc.service},
 * {@code rpc.method}, {@code rpc.type}, {@code grpc.status_code} and {@code error};
 * <li>{@code grpc.server.received} and {@code grpc.server.sent}, counters of the
 * messages;
 * <li>{@code grpc.engine.bytes.received} and {@code grpc.engine.bytes.sent},
 * {@code grpc.engine.connections.active} and {@code grpc.engine.calls.active};
 * <li>{@code grpc.engine.loop.blocked}, a counter of callbacks that held an event loop
 * for too long, tagged {@code rpc.service} and {@code rpc.method};
 * <li>{@code grpc.engine.guard.trips}, a counter for each of the protections against
 * peers that misbehave or are gone, tagged {@code guard}.
 * </ul>
 * Calls to methods that the server does not know share one tag value, {@code UNKNOWN}.
 * <p>
 * One instance serves one server at a time. After a restart the loops go on with the
 * numbers of their predecessors, so that counters never fall.
 */
public final class MicrometerEngineTelemetry implements EngineTelemetry {

	private static final String UNKNOWN_METHOD = "";

	private final MeterRegistry registry;

	private final boolean recordCalls;

	private final Map<Integer, LoopMeters> loops = new ConcurrentHashMap<>();

	private final Map<String, MethodMeters> methods = new ConcurrentHashMap<>();

	/**
	 * Registers the meters of the engine.
	 * @param registry where
	 * @param recordCalls whether to write {@code grpc.server*} too; {@code false} where
	 * somebody else does
	 */
	public MicrometerEngineTelemetry(MeterRegistry registry, boolean recordCalls) {
		this.registry = registry;
		this.recordCalls = recordCalls;
		bytes("grpc.engine.bytes.received", "Bytes read from sockets, HTTP/2 framing included",
				LoopMeters.BYTES_RECEIVED);
		bytes("grpc.engine.bytes.sent", "Bytes handed to sockets, HTTP/2 framing included", LoopMeters.BYTES_SENT);
		active("grpc.engine.connections.active", "Open connections", LoopMeters.CONNECTIONS_OPENED,
				LoopMeters.CONNECTIONS_CLOSED);
		active("grpc.engine.calls.active", "Running calls", LoopMeters.CALLS_STARTED, LoopMeters.CALLS_CLOSED);
		for (Guard guard : Guard.values()) {
			trips(guard);
		}
	}

	private void bytes(String name, String description, int index) {
		FunctionCounter.builder(name, this, (telemetry) -> telemetry.sum(index))
			.description(description)
			.baseUnit(BaseUnits.BYTES)
			.register(this.registry);
	}

	private void active(String name, String description, int begun, int ended) {
		Gauge.builder(name, this, (telemetry) -> telemetry.difference(begun, ended))
			.description(description)
			.register(this.registry);
	}

	/** All from the start: a counter that comes with its first trip hides that trip. */
	private void trips(Guard guard) {
		FunctionCounter.builder("grpc.engine.guard.trips", this, (telemetry) -> telemetry.sum(LoopMeters.trips(guard)))
			.description("Trips of the protections against peers that misbehave or are gone")
			.tag("guard", guard.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.register(this.registry);
	}

	private long sum(int index) {
		long sum = 0;
		for (LoopMeters loop : this.loops.values()) {
			sum += loop.get(index);
		}
		return sum;
	}

	private long difference(int begun, int ended) {
		// in this order: what ends in between has begun before the second reading
		long down = sum(ended);
		return sum(begun) - down;
	}

	@Override
	public LoopTelemetry loop(int loop) {
		return this.loops.computeIfAbsent(loop, (index) -> new LoopMeters(this::recorder));
	}

	@Override
	public void loopBlocked(MethodDescriptor<?, ?> method, long nanos) {
		Counter.builder("grpc.engine.loop.blocked")
			.description("Callbacks of service code that held an event loop for too long")
			.tag("rpc.service", String.valueOf(method.getServiceName()))
			.tag("rpc.method", String.valueOf(method.getBareMethodName()))
			.register(this.registry)
			.increment();
	}

	private MethodTelemetry recorder(@Nullable MethodDescriptor<?, ?> method, Counters loop) {
		if (!this.recordCalls) {
			return new RunningCallMeters(loop);
		}
		String key = (method != null) ? method.getFullMethodName() : UNKNOWN_METHOD;
		return new CallMeters(this.methods.computeIfAbsent(key, (name) -> new MethodMeters(this.registry, method)),
				loop);
	}

}
