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
 * The connections, streams, stalls and calls of all servers of a soak.
 */
final class Gauges implements EngineTelemetry {

	private final LongAdder connectionsOpened = new LongAdder();

	private final LongAdder connectionsClosed = new LongAdder();

	private final LongAdder streamsOpened = new LongAdder();

	private final LongAdder streamsClosed = new LongAdder();

	private final LongAdder stalls = new LongAdder();

	private final LongAdder resumes = new LongAdder();

	private final LongAdder callsStarted = new LongAdder();

	private final LongAdder callsClosed = new LongAdder();

	/**
	 * Whether no connection, stream or call is open, and none is stalled.
	 */
	boolean areZero() {
		return this.connectionsOpened.sum() == this.connectionsClosed.sum()
				&& this.streamsOpened.sum() == this.streamsClosed.sum() && this.stalls.sum() == this.resumes.sum()
				&& this.callsStarted.sum() == this.callsClosed.sum();
	}

	@Override
	public LoopTelemetry loop(int loop) {
		return new Loop();
	}

	@Override
	public String toString() {
		return this.connectionsOpened + " connections opened, " + this.connectionsClosed + " closed, "
				+ this.streamsOpened + " streams opened, " + this.streamsClosed + " closed, " + this.stalls
				+ " stalls, " + this.resumes + " of them over, " + this.callsStarted + " calls started, "
				+ this.callsClosed + " closed";
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
		public void streamOpened() {
			Gauges.this.streamsOpened.increment();
		}

		@Override
		public void streamClosed() {
			Gauges.this.streamsClosed.increment();
		}

		@Override
		public void flowControlStalled() {
			Gauges.this.stalls.increment();
		}

		@Override
		public void flowControlResumed(long nanos) {
			Gauges.this.resumes.increment();
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
