package dev.grpcloop.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.grpcloop.engine.telemetry.CloseReason;
import dev.grpcloop.engine.telemetry.EngineTelemetry;
import dev.grpcloop.engine.telemetry.Guard;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
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

	final AtomicLong bytesReceived = new AtomicLong();

	final AtomicLong bytesSent = new AtomicLong();

	final AtomicInteger stalls = new AtomicInteger();

	final List<Long> resetsReceived = new CopyOnWriteArrayList<>();

	final List<Long> resetsSent = new CopyOnWriteArrayList<>();

	final List<Guard> guards = new CopyOnWriteArrayList<>();

	final AtomicInteger running = new AtomicInteger();

	final AtomicInteger mostRunning = new AtomicInteger();

	final List<String> faults = new CopyOnWriteArrayList<>();

	private final Map<String, Method> methods = new ConcurrentHashMap<>();

	Method method(String name) {
		return this.methods.computeIfAbsent(name, (key) -> new Method());
	}

	/**
	 * Whether every connection and every call that began has ended.
	 */
	boolean isBalanced() {
		return this.connectionsOpened.get() == this.connectionsClosed.get() && this.running.get() == 0
				&& this.methods.values().stream().allMatch((method) -> method.started.get() == method.closed.size());
	}

	@Override
	public LoopTelemetry loop(int loop) {
		if (loop != this.loops.getAndIncrement()) {
			this.faults.add("loop " + loop + " is out of order");
		}
		return new Loop();
	}

	static final class Method {

		final AtomicInteger started = new AtomicInteger();

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
			RecordingTelemetry.this.connectionsClosed.incrementAndGet();
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
		public void guardTripped(Guard guard) {
			checkThread();
			RecordingTelemetry.this.guards.add(guard);
		}

		@Override
		public MethodTelemetry method(@Nullable MethodDescriptor<?, ?> descriptor) {
			return new MethodOnLoop(this,
					RecordingTelemetry.this.method((descriptor != null) ? descriptor.getFullMethodName() : UNKNOWN));
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
