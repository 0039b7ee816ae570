package dev.grpcloop.engine.telemetry;

import io.grpc.MethodDescriptor;

/**
 * The hook through which the engine's numbers leave it. Every method has an empty
 * default, so an implementation names only what it wants.
 * <p>
 * The engine asks once per event loop for a {@link LoopTelemetry} and writes to it from
 * that loop alone, so that a recorder can count in plain, unshared fields.
 * <p>
 * No recorder should throw. If one does, that is logged, once a minute for each method,
 * and the server goes on.
 */
public interface EngineTelemetry {

	/** Records nothing. */
	EngineTelemetry NOOP = new EngineTelemetry() {
	};

	/**
	 * Returns the recorder of one event loop. Called once per loop, when the server
	 * starts.
	 * @param loop the index of the loop, from 0
	 * @return the recorder, used only on that loop
	 */
	default LoopTelemetry loop(int loop) {
		return LoopTelemetry.NOOP;
	}

	/**
	 * Returns the recorder of what is handed to executors. Called once, when the server
	 * starts.
	 * @return the recorder, used on many threads; {@link ExecutorTelemetry#NOOP} costs
	 * nothing
	 */
	default ExecutorTelemetry executor() {
		return ExecutorTelemetry.NOOP;
	}

	/**
	 * Service code has held an event loop for longer than the blocked threshold. Called
	 * once per callback that does so, on a thread of the engine's that is no event loop.
	 * @param method the method whose code it is
	 * @param nanos for how long at least, in nanoseconds; the callback still runs
	 */
	default void loopBlocked(MethodDescriptor<?, ?> method, long nanos) {
	}

}
