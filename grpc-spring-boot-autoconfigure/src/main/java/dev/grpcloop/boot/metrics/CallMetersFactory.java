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
 * <li>{@code grpc.server.received} and {@code grpc.server.sent}, counters of the
 * messages.
 * </ul>
 * Calls to methods that the server does not know share one tag value, {@code UNKNOWN}.
 */
public final class CallMetersFactory implements CallRecorder.Factory {

	private final MeterRegistry registry;

	private final boolean recordCalls;

	/**
	 * Creates a factory.
	 * @param registry where the meters are
	 * @param recordCalls {@code false} where somebody else writes these meters
	 */
	public CallMetersFactory(MeterRegistry registry, boolean recordCalls) {
		this.registry = registry;
		this.recordCalls = recordCalls;
	}

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		return !this.recordCalls ? CallRecorder.NOOP : new CallMeters(new MethodMeters(this.registry, method));
	}

	@Override
	public void methodAdded(MethodStatistics statistics) {
		if (this.recordCalls) {
			new MethodMeters(this.registry, statistics.method()).bind(statistics);
		}
	}

}
