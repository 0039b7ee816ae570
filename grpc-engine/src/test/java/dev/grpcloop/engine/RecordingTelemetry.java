package dev.grpcloop.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import dev.grpcloop.engine.telemetry.Refusal;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * All the numbers of a server, over its loops. It also holds the engine to its promise to
 * use each recorder on one thread.
 */
final class RecordingTelemetry implements EngineTelemetry {

	static final String UNKNOWN = "unknown";

	final AtomicInteger loops = new AtomicInteger();

	final AtomicInteger connectionsOpened = new AtomicInteger();

	final AtomicInteger connectionsClosed = new AtomicInteger();

	final List<CloseReason> closeReasons = new CopyOnWriteArrayList<>();

	final AtomicInteger handshakes = new AtomicInteger();

	final AtomicInteger streamsOpened = new AtomicInteger();

	final AtomicInteger streamsClosed = new AtomicInteger();

	final List<Refusal> refusals = new CopyOnWriteArrayList<>();

	final AtomicLong bytesReceived = new AtomicLong();

	final AtomicLong bytesSent = new AtomicLong();

	final AtomicLong bytesFlushed = new AtomicLong();

	final AtomicInteger stalls = new AtomicInteger();

	final AtomicInteger resumes = new AtomicInteger();

	final AtomicLong busyNanos = new AtomicLong();

	final AtomicLong longestBusyNanos = new AtomicLong();

	final AtomicLong waitedNanos = new AtomicLong();

	final List<Long> resetsReceived = new CopyOnWriteArrayList<>();

	final List<Long> resetsSent = new CopyOnWriteArrayList<>();

	final List<Guard> guards = new CopyOnWriteArrayList<>();

	final AtomicInteger running = new AtomicInteger();

	final AtomicInteger mostRunning = new AtomicInteger();

	final List<String> faults = new CopyOnWriteArrayList<>();

	final Handovers executor = new Handovers();

	/** A method for which the recorder of a loop throws. */
	volatile @Nullable String unableToRecord;

	private final Map<String, Method> methods = new ConcurrentHashMap<>();

	Method method(String name) {
		return this.methods.computeIfAbsent(name, (key) -> new Method());
	}

	/**
	 * Whether every connection, stream, stall and call that began has ended, and every
	 * stream has become a call or was refused.
	 */
	boolean isBalanced() {
		int calls = this.methods.values().stream().mapToInt((method) -> method.started.get()).sum();
		return this.connectionsOpened.get() == this.connectionsClosed.get() && this.running.get() == 0
				&& this.streamsOpened.get() == this.streamsClosed.get()
				&& this.streamsOpened.get() == calls + this.refusals.size() && this.stalls.get() == this.resumes.get()
				&& this.bytesFlushed.get() == this.bytesSent.get()
				&& this.methods.values().stream().allMatch((method) -> method.started.get() == method.closed.size());
	}

	@Override
	public LoopTelemetry loop(int loop) {
		if (loop != this.loops.getAndIncrement()) {
			this.faults.add("loop " + loop + " is out of order");
		}
		return new Loop();
	}

	@Override
	public ExecutorTelemetry executor() {
		return this.executor;
	}

	/**
	 * What is handed to executors, on any thread.
	 */
	static final class Handovers implements ExecutorTelemetry {

		final AtomicInteger handedOver = new AtomicInteger();

		final AtomicInteger begun = new AtomicInteger();

		final AtomicInteger rejected = new AtomicInteger();

		final AtomicLong longestWaitNanos = new AtomicLong();

		@Override
		public void handedOver() {
			this.handedOver.incrementAndGet();
		}

		@Override
		public void begun(long waitedNanos) {
			this.longestWaitNanos.accumulateAndGet(waitedNanos, Math::max);
			this.begun.incrementAndGet();
		}

		@Override
		public void rejected() {
			this.rejected.incrementAndGet();
		}

	}

	static final class Method {

		final AtomicInteger started = new AtomicInteger();

		/** Calls whose service was told so. */
		final AtomicInteger cancelled = new AtomicInteger();

		final List<Status> closed = new CopyOnWriteArrayList<>();

		final AtomicInteger messagesReceived = new AtomicInteger();

		final AtomicInteger messagesSent = new AtomicInteger();

		final AtomicLong bytesReceived = new AtomicLong();

		final AtomicLong bytesSent = new AtomicLong();

		List<Status.Code> codes() {
			return this.closed.stream().map(Status::getCode).toList();
		}

	}

	private final class Loop implements LoopTelemetry {

		private @Nullable Thread thread;

		private void checkThread() {
			if (this.thread == null) {
				this.thread = Thread.currentThread();
			}
			else if (this.thread != Thread.currentThread()) {
				RecordingTelemetry.this.faults.add("used on " + this.thread + " and " + Thread.currentThread());
			}
		}

		@Override
		public void connectionOpened() {
			checkThread();
			RecordingTelemetry.this.connectionsOpened.incrementAndGet();
		}

		@Override
		public void connectionClosed(CloseReason reason) {
			checkThread();
			RecordingTelemetry.this.closeReasons.add(reason);
			RecordingTelemetry.this.connectionsClosed.incrementAndGet();
		}

		@Override
		public void handshakeCompleted(long nanos) {
			checkThread();
			RecordingTelemetry.this.handshakes.incrementAndGet();
		}

		@Override
		public void streamOpened() {
			checkThread();
			RecordingTelemetry.this.streamsOpened.incrementAndGet();
		}

		@Override
		public void streamClosed() {
			checkThread();
			RecordingTelemetry.this.streamsClosed.incrementAndGet();
		}

		@Override
		public void requestRefused(Refusal refusal) {
			checkThread();
			RecordingTelemetry.this.refusals.add(refusal);
		}

		@Override
		public void flushed(int frames, int bytes) {
			checkThread();
			if (frames < 1 || bytes < 9 * frames) {
				RecordingTelemetry.this.faults.add(frames + " frames of " + bytes + " bytes");
			}
			RecordingTelemetry.this.bytesFlushed.addAndGet(bytes);
		}

		@Override
		public void turned(long busyNanos, long waitedNanos) {
			checkThread();
			if (busyNanos < 0 || waitedNanos < 0) {
				RecordingTelemetry.this.faults.add("a turn of " + busyNanos + " ns and " + waitedNanos + " ns");
			}
			RecordingTelemetry.this.busyNanos.addAndGet(busyNanos);
			RecordingTelemetry.this.longestBusyNanos.accumulateAndGet(busyNanos, Math::max);
			RecordingTelemetry.this.waitedNanos.addAndGet(waitedNanos);
		}

		@Override
		public void bytesReceived(int bytes) {
			checkThread();
			RecordingTelemetry.this.bytesReceived.addAndGet(bytes);
		}

		@Override
		public void bytesSent(int bytes) {
			checkThread();
			RecordingTelemetry.this.bytesSent.addAndGet(bytes);
		}

		@Override
		public void resetReceived(long errorCode) {
			checkThread();
			RecordingTelemetry.this.resetsReceived.add(errorCode);
		}

		@Override
		public void resetSent(long errorCode) {
			checkThread();
			RecordingTelemetry.this.resetsSent.add(errorCode);
		}

		@Override
		public void flowControlStalled() {
			checkThread();
			RecordingTelemetry.this.stalls.incrementAndGet();
		}

		@Override
		public void flowControlResumed(long nanos) {
			checkThread();
			RecordingTelemetry.this.resumes.incrementAndGet();
		}

		@Override
		public void guardTripped(Guard guard) {
			checkThread();
			RecordingTelemetry.this.guards.add(guard);
		}

		@Override
		public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> descriptor) {
			String name = (descriptor != null) ? descriptor.getFullMethodName() : UNKNOWN;
			if (name.equals(RecordingTelemetry.this.unableToRecord)) {
				throw new IllegalStateException("a fault of the recorder");
			}
			return new MethodOnLoop(this, RecordingTelemetry.this.method(name));
		}

	}

	private final class MethodOnLoop implements MethodTelemetry {

		private final Loop loop;

		private final Method method;

		MethodOnLoop(Loop loop, Method method) {
			this.loop = loop;
			this.method = method;
		}

		@Override
		public void callStarted(long arrivalNanos) {
			this.loop.checkThread();
			this.method.started.incrementAndGet();
			int now = RecordingTelemetry.this.running.incrementAndGet();
			RecordingTelemetry.this.mostRunning.accumulateAndGet(now, Math::max);
		}

		@Override
		public void callCancelled() {
			this.loop.checkThread();
			this.method.cancelled.incrementAndGet();
		}

		@Override
		public void callClosed(Status status, long arrivalNanos, long nanos, boolean served) {
			this.loop.checkThread();
			if (nanos < 0) {
				RecordingTelemetry.this.faults.add("a call of " + nanos + " ns");
			}
			RecordingTelemetry.this.running.decrementAndGet();
			this.method.closed.add(status);
		}

		@Override
		public void messageReceived(int bytes) {
			this.loop.checkThread();
			this.method.messagesReceived.incrementAndGet();
			this.method.bytesReceived.addAndGet(bytes);
		}

		@Override
		public void messageSent(int bytes) {
			this.loop.checkThread();
			this.method.messagesSent.incrementAndGet();
			this.method.bytesSent.addAndGet(bytes);
		}

	}

}
