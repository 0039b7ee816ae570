package dev.grpcloop.boot.statistics;

import java.util.List;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Is told of the end of each call of one method on one event loop, beside the statistics.
 * Called on that loop only.
 */
@FunctionalInterface
public interface CallRecorder {

	/** Records nothing. */
	CallRecorder NOOP = (status, nanos, served) -> {
	};

	/**
	 * A call has ended.
	 * @param status its status; its cause is what the service threw, if it did
	 * @param nanos from the arrival of its headers, in nanoseconds
	 * @param served whether service code, interceptors included, has seen the call
	 */
	void closed(Status status, long nanos, boolean served);

	/**
	 * Makes recorders.
	 */
	interface Factory {

		/** Makes those that record nothing. */
		Factory NOOP = new Factory() {
		};

		/**
		 * Makes recorders that tell those of several factories.
		 * @param factories the factories
		 * @return a factory of all
		 */
		static Factory of(List<? extends Factory> factories) {
			return new CallRecorders.Factory(List.copyOf(factories));
		}

		/**
		 * Makes the recorder of a method on one loop.
		 * @param method the method, or {@code null} for all that the server does not know
		 * @return the recorder, used on one loop only
		 */
		default CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
			return CallRecorder.NOOP;
		}

		/**
		 * A method got its numbers. Comes once for each, before it is first called.
		 * @param statistics the numbers
		 */
		default void methodAdded(MethodStatistics statistics) {
		}

	}

}
