package dev.grpcloop.boot.metrics;

import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.MethodDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Writes the calls to a Micrometer registry:
 * <ul>
 * <li>{@code grpc.server}, a timer of the calls, tagged {@code rpc.service},
 * {@code rpc.method}, {@code rpc.type}, {@code grpc.status_code} and {@code error};
 * <li>{@code grpc.server.active}, a long task timer of the calls that run;
 * <li>{@code grpc.server.received} and {@code grpc.server.sent}, counters of the
 * messages;
 * <li>{@code grpc.server.cancelled}, a counter of the calls that were cancelled.
 * </ul>
 * Calls to methods that the server does not know share one tag value, {@code UNKNOWN}.
 */
public final class CallMetersFactory implements CallRecorder.Factory {

	private final MeterRegistry registry;

	private final CallMeterSettings settings;

	/**
	 * Creates a factory.
	 * @param registry where the meters are
	 * @param settings which meters, with which tags
	 */
	public CallMetersFactory(MeterRegistry registry, CallMeterSettings settings) {
		this.registry = registry;
		this.settings = settings;
	}

	/**
	 * Creates a factory of all meters or of none.
	 * @param registry where the meters are
	 * @param recordCalls {@code false} where somebody else writes these meters
	 */
	public CallMetersFactory(MeterRegistry registry, boolean recordCalls) {
		this(registry, recordCalls ? CallMeterSettings.DEFAULT : CallMeterSettings.OFF);
	}

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		return !this.settings.calls() ? CallRecorder.NOOP : new CallMeters(meters(method));
	}

	@Override
	public void methodAdded(MethodStatistics statistics) {
		if (this.settings.calls()) {
			meters(statistics.method()).bind(statistics);
		}
	}

	private MethodMeters meters(@Nullable MethodDescriptor<?, ?> method) {
		return new MethodMeters(this.registry, this.settings, method);
	}

}
