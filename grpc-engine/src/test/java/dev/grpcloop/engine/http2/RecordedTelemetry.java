package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the engine reports of itself.
 */
final class RecordedTelemetry implements LoopTelemetry {

	int connectionsOpened;

	/** Why connections ended, once for each. */
	final List<CloseReason> connectionsClosed = new ArrayList<>();

	/** How long the handshakes took, in nanoseconds. */
	final List<Long> handshakes = new ArrayList<>();

	int streamsOpened;

	int streamsClosed;

	/** Why streams did not become calls, once for each. */
	final List<Refusal> refusals = new ArrayList<>();

	/** The error codes of faults that ended a stream. */
	final List<Long> streamFaults = new ArrayList<>();

	/** The error codes of faults that ended a connection. */
	final List<Long> connectionFaults = new ArrayList<>();

	int flushes;

	int framesSent;

	long bytesReceived;

	long bytesSent;

	int resetsReceived;

	int resetsSent;

	int stalls;

	/** How long the stalls took that are over, in nanoseconds. */
	final List<Long> resumes = new ArrayList<>();

	int callsStarted;

	/** How many of the calls that ended were seen by service code. */
	int callsServed;

	int messagesReceived;

	int messagesSent;

	/** The statuses of the calls that ended. */
	final List<Status.Code> callsClosed = new ArrayList<>();

	/** How long they took, in nanoseconds. */
	final List<Long> callNanos = new ArrayList<>();

	/** The guards that tripped, once for each time. */
	final List<Guard> guards = new ArrayList<>();

	/** What is handed to the executor. Other threads tell of it too. */
	final Handovers executor = new Handovers();

	private Runnable interruption = () -> {
	};

	/**
	 * Other threads do something in the middle of what the loop reports.
	 */
	void interruptedBy(Runnable interruption) {
		this.interruption = interruption;
	}

	/**
	 * Returns what does not add up when everything has ended.
	 */
	List<String> faults() {
		List<String> faults = new ArrayList<>();
		if (this.callsStarted != this.callsClosed.size()) {
			faults.add(this.callsStarted + " calls were started, " + this.callsClosed.size() + " ended");
		}
		if (this.connectionsOpened != this.connectionsClosed.size()) {
			faults.add(this.connectionsOpened + " connections were opened, " + this.connectionsClosed + " closed");
		}
		if (this.handshakes.size() > this.connectionsOpened) {
			faults.add(this.handshakes.size() + " handshakes of " + this.connectionsOpened + " connections");
		}
		if (this.streamsOpened != this.streamsClosed) {
			faults.add(this.streamsOpened + " streams were opened, " + this.streamsClosed + " closed");
		}
		if (this.streamsOpened != this.callsStarted + this.refusals.size()) {
			faults.add(this.streamsOpened + " streams became " + this.callsStarted + " calls; refused were "
					+ this.refusals);
		}
		if (this.stalls != this.resumes.size()) {
			faults.add(this.stalls + " stalls, of which " + this.resumes.size() + " have ended");
		}
		if (this.resumes.stream().anyMatch((nanos) -> nanos < 0)) {
			faults.add("a stall that ended before it began: " + this.resumes);
		}
		this.executor.addFaults(faults);
		return faults;
	}

	private void reported() {
		this.interruption.run();
	}

	@Override
	public void connectionOpened() {
		this.connectionsOpened++;
	}

	@Override
	public void connectionClosed(CloseReason reason) {
		this.connectionsClosed.add(reason);
	}

	@Override
	public void handshakeCompleted(long nanos) {
		this.handshakes.add(nanos);
	}

	@Override
	public void streamOpened() {
		this.streamsOpened++;
		reported();
	}

	@Override
	public void streamClosed() {
		this.streamsClosed++;
		reported();
	}

	@Override
	public void requestRefused(Refusal refusal) {
		this.refusals.add(refusal);
		reported();
	}

	@Override
	public void protocolFault(long errorCode, boolean connection) {
		(connection ? this.connectionFaults : this.streamFaults).add(errorCode);
		reported();
	}

	@Override
	public void flushed(int frames, int bytes) {
		this.flushes++;
		this.framesSent += frames;
		reported();
	}

	@Override
	public void bytesReceived(int bytes) {
		this.bytesReceived += bytes;
		reported();
	}

	@Override
	public void bytesSent(int bytes) {
		this.bytesSent += bytes;
		reported();
	}

	@Override
	public void resetReceived(long errorCode) {
		this.resetsReceived++;
		reported();
	}

	@Override
	public void resetSent(long errorCode) {
		this.resetsSent++;
		reported();
	}

	@Override
	public void flowControlStalled() {
		this.stalls++;
		reported();
	}

	@Override
	public void flowControlResumed(long nanos) {
		this.resumes.add(nanos);
		reported();
	}

	@Override
	public void guardTripped(Guard guard) {
		this.guards.add(guard);
		reported();
	}

	@Override
	public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> method) {
		return new MethodTelemetry() {

			@Override
			public void callStarted(long arrivalNanos) {
				RecordedTelemetry.this.callsStarted++;
				reported();
			}

			@Override
			public void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
				RecordedTelemetry.this.callsClosed.add(status.getCode());
				RecordedTelemetry.this.callNanos.add(nanos);
				RecordedTelemetry.this.callsServed += served ? 1 : 0;
				reported();
			}

			@Override
			public void messageReceived(int bytes) {
				RecordedTelemetry.this.messagesReceived++;
				reported();
			}

			@Override
			public void messageSent(int bytes) {
				RecordedTelemetry.this.messagesSent++;
				reported();
			}

		};
	}

	/**
	 * What is handed to the executor, and what becomes of it.
	 */
	static final class Handovers implements ExecutorTelemetry {

		final AtomicInteger handedOver = new AtomicInteger();

		final AtomicInteger begun = new AtomicInteger();

		final AtomicInteger rejected = new AtomicInteger();

		@Override
		public void handedOver() {
			this.handedOver.incrementAndGet();
		}

		@Override
		public void begun(long waitedNanos) {
			this.begun.incrementAndGet();
		}

		@Override
		public void rejected() {
			this.rejected.incrementAndGet();
		}

		private void addFaults(List<String> faults) {
			if (this.handedOver.get() != this.begun.get() + this.rejected.get()) {
				faults.add(this.handedOver + " tasks were handed over, " + this.begun + " were begun and "
						+ this.rejected + " rejected");
			}
		}

	}

}
