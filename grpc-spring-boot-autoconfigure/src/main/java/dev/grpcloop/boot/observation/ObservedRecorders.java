package dev.grpcloop.boot.observation;

import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The recorders of those methods whose calls are observed.
 *
 * @param meters makes the recorders
 * @param methods says which methods these are
 */
public record ObservedRecorders(CallRecorder.Factory meters, ObservedMethods methods) implements CallRecorder.Factory {

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		return this.methods.test(method) ? this.meters.create(method) : CallRecorder.NOOP;
	}

	@Override
	public void methodAdded(MethodStatistics statistics) {
		if (this.methods.test(statistics.method())) {
			this.meters.methodAdded(statistics);
		}
	}

}
