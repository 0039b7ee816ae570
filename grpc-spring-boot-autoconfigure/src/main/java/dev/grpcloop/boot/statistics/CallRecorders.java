package dev.grpcloop.boot.statistics;

import java.util.List;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Several recorders of the same calls, told one after the other.
 */
final class CallRecorders implements CallRecorder {

	private final CallRecorder[] recorders;

	private CallRecorders(List<CallRecorder> recorders) {
		this.recorders = recorders.toArray(CallRecorder[]::new);
	}

	private static CallRecorder of(List<CallRecorder> recorders) {
		List<CallRecorder> recording = recorders.stream().filter((recorder) -> recorder != CallRecorder.NOOP).toList();
		return switch (recording.size()) {
			case 0 -> CallRecorder.NOOP;
			case 1 -> recording.get(0);
			default -> new CallRecorders(recording);
		};
	}

	@Override
	public void closed(Status status, long nanos, boolean served) {
		for (CallRecorder recorder : this.recorders) {
			recorder.closed(status, nanos, served);
		}
	}

	/**
	 * Makes them.
	 *
	 * @param factories of the single recorders
	 */
	record Factory(List<CallRecorder.Factory> factories) implements CallRecorder.Factory {

		@Override
		public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
			return of(this.factories.stream().map((factory) -> factory.create(method)).toList());
		}

		@Override
		public void methodAdded(MethodStatistics statistics) {
			this.factories.forEach((factory) -> factory.methodAdded(statistics));
		}

	}

}
