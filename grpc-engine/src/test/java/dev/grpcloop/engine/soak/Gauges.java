package dev.grpcloop.engine.soak;

import java.util.concurrent.atomic.LongAdder;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The connections and calls of all servers of a soak.
 */
final class Gauges implements EngineTelemetry {

	private final LongAdder connectionsOpened = new LongAdder();

	private final LongAdder connectionsClosed = new LongAdder();

	private final LongAdder callsStarted = new LongAdder();

	private final LongAdder callsClosed = new LongAdder();

	/**
	 * Whether no connection and no call is open.
	 */
	boolean areZero() {
		return this.connectionsOpened.sum() == this.connectionsClosed.sum()
				&& this.callsStarted.sum() == this.callsClosed.sum();
	}

	@Override
	public LoopTelemetry loop(int loop) {
		return new Loop();
	}

	@Override
	public String toString() {
		return this.connectionsOpened + " connections opened, " + this.connectionsClosed + " closed, "
				+ this.callsStarted + " calls started, " + this.callsClosed + " closed";
	}

	private final class Loop implements LoopTelemetry, MethodTelemetry {

		@Override
		public void connectionOpened() {
			Gauges.this.connectionsOpened.increment();
		}

		@Override
		public void connectionClosed(CloseReason reason) {
			Gauges.this.connectionsClosed.increment();
		}

		@Override
		public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
			return this;
		}

		@Override
		public void callStarted(long arrivalNanos) {
			Gauges.this.callsStarted.increment();
		}

		@Override
		public void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
			Gauges.this.callsClosed.increment();
		}

	}

}
