package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the engine reports of itself.
 */
final class RecordedTelemetry implements LoopTelemetry {

	int connectionsOpened;

	int connectionsClosed;

	long bytesReceived;

	long bytesSent;

	int resetsReceived;

	int resetsSent;

	int stalls;

	int callsStarted;

	int messagesReceived;

	int messagesSent;

	/** The statuses of the calls that ended. */
	final List<Status.Code> callsClosed = new ArrayList<>();

	/** How long they took, in nanoseconds. */
	final List<Long> callNanos = new ArrayList<>();

	/** The guards that tripped, once for each time. */
	final List<Guard> guards = new ArrayList<>();

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
		if (this.connectionsOpened != this.connectionsClosed) {
			faults.add(this.connectionsOpened + " connections were opened, " + this.connectionsClosed + " closed");
		}
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
		this.connectionsClosed++;
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

}
