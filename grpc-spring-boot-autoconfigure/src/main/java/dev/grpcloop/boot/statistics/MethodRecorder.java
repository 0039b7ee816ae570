package dev.grpcloop.boot.statistics;

import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one method on one event loop. The methods of {@link MethodTelemetry} are
 * called on that loop only, the others on any thread.
 */
final class MethodRecorder implements MethodTelemetry {

	private static final int STARTED = 0;

	private static final int CLOSED = 1;

	private static final int MESSAGES_RECEIVED = 2;

	private static final int MESSAGES_SENT = 3;

	private static final int BYTES_RECEIVED = 4;

	private static final int BYTES_SENT = 5;

	private static final int TOTAL_NANOS = 6;

	private static final int CANCELLED = 7;

	/** The first of the status codes, which follow in their order. */
	private static final int CODES = 8;

	private static final int SIZE = CODES + Status.Code.values().length;

	private final Counters counters = new Counters(SIZE);

	/** Most methods are not called on most loops. */
	private volatile @Nullable Counters latencies;

	private final RunningCalls running = new RunningCalls();

	private final CallRecorder recorder;

	MethodRecorder(CallRecorder recorder) {
		this.recorder = recorder;
	}

	@Override
	public void callStarted(long arrivalNanos) {
		this.counters.add(STARTED, 1);
		this.running.started(arrivalNanos);
	}

	@Override
	public void callCancelled() {
		this.counters.add(CANCELLED, 1);
	}

	@Override
	public void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
		Counters latencies = this.latencies;
		if (latencies == null) {
			latencies = new Counters(LatencyBuckets.COUNT);
			this.latencies = latencies;
		}
		latencies.add(LatencyBuckets.index(nanos), 1);
		this.counters.add(CODES + status.getCode().value(), 1);
		this.counters.add(TOTAL_NANOS, nanos);
		this.counters.add(CLOSED, 1);
		this.running.closed(arrivalNanos);
		this.recorder.closed(status, nanos, served);
	}

	@Override
	public void messageReceived(int bytes) {
		this.counters.add(MESSAGES_RECEIVED, 1);
		this.counters.add(BYTES_RECEIVED, bytes);
	}

	@Override
	public void messageSent(int bytes) {
		this.counters.add(MESSAGES_SENT, 1);
		this.counters.add(BYTES_SENT, bytes);
	}

	long started() {
		return this.counters.get(STARTED);
	}

	long closed() {
		return this.counters.get(CLOSED);
	}

	long closed(Status.Code code) {
		return this.counters.get(CODES + code.value());
	}

	long cancelled() {
		return this.counters.get(CANCELLED);
	}

	long messagesReceived() {
		return this.counters.get(MESSAGES_RECEIVED);
	}

	long messagesSent() {
		return this.counters.get(MESSAGES_SENT);
	}

	long bytesReceived() {
		return this.counters.get(BYTES_RECEIVED);
	}

	long bytesSent() {
		return this.counters.get(BYTES_SENT);
	}

	long totalNanos() {
		return this.counters.get(TOTAL_NANOS);
	}

	RunningCalls running() {
		return this.running;
	}

	long latency(int bucket) {
		Counters latencies = this.latencies;
		return (latencies != null) ? latencies.get(bucket) : 0;
	}

}
