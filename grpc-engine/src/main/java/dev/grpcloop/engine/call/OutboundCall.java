package dev.grpcloop.engine.call;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import dev.grpcloop.engine.message.MessageDeframer;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The loop's half of a call: what it writes to its stream, how much of that waits, and
 * how it ends.
 * <p>
 * Owned by the event loop; the methods that any thread may call say so.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
abstract class OutboundCall<Q, R> extends ServerCall<Q, R> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<OutboundCall> UNWRITTEN = AtomicIntegerFieldUpdater
		.newUpdater(OutboundCall.class, "unwritten");

	private static final int DEFAULT_ON_READY_THRESHOLD = 32 * 1024;

	private final CallStream stream;

	private final CallLoop loop;

	private final MethodTelemetry telemetry;

	private final @Nullable CallTracers tracers;

	private final long startNanos;

	private CallDelivery<Q> delivery;

	/** Bytes of messages sent and not yet written to the connection. */
	private volatile int unwritten;

	private volatile int onReadyThreshold = DEFAULT_ON_READY_THRESHOLD;

	private volatile boolean cancelled;

	private @Nullable Status closeStatus;

	private @Nullable Status terminated;

	private boolean finished;

	OutboundCall(CallStream stream, CallLoop loop, MethodTelemetry telemetry, @Nullable CallTracers tracers,
			long startNanos) {
		this.stream = stream;
		this.loop = loop;
		this.telemetry = telemetry;
		this.tracers = tracers;
		this.startNanos = startNanos;
	}

	/**
	 * Who calls the service back.
	 */
	final void delivery(CallDelivery<Q> delivery) {
		this.delivery = delivery;
	}

	final CallDelivery<Q> delivery() {
		return this.delivery;
	}

	final CallStream stream() {
		return this.stream;
	}

	final CallLoop loop() {
		return this.loop;
	}

	final MethodTelemetry telemetry() {
		return this.telemetry;
	}

	final @Nullable CallTracers tracers() {
		return this.tracers;
	}

	/**
	 * A message is about to wait. Any thread.
	 * @return how many bytes of messages wait with it
	 */
	final int addUnwritten(int bytes) {
		return UNWRITTEN.addAndGet(this, bytes);
	}

	/**
	 * Whether so little waits that the service may send more. Any thread.
	 */
	final boolean takesMore() {
		return !this.cancelled && this.stream.isWritable() && this.unwritten < this.onReadyThreshold;
	}

	@Override
	public final void setOnReadyThreshold(int numBytes) {
		if (numBytes <= 0) {
			throw new IllegalArgumentException("setOnReadyThreshold(" + numBytes + "): it must be at least 1 byte");
		}
		this.onReadyThreshold = numBytes;
	}

	@Override
	public final boolean isCancelled() {
		return this.cancelled;
	}

	void writeHeaders(byte @Nullable [] encoding, byte[][] metadata) {
		this.stream.writeHeaders(encoding, metadata);
	}

	void writeMessage(byte[] framed) {
		this.telemetry.messageSent(framed.length - MessageDeframer.PREFIX_LENGTH);
		this.stream.writeMessage(framed);
	}

	void writeClose(Status status, byte[][] metadata) {
		if (this.closeStatus == null) {
			this.closeStatus = status;
			this.stream.writeTrailers(status, metadata);
		}
	}

	void writeCancel(Status status) {
		if (this.closeStatus == null) {
			this.closeStatus = status;
			this.stream.cancel(Status.CANCELLED);
		}
	}

	/**
	 * Ends the call with a status of the server's own. Its listener hears of a
	 * cancellation.
	 */
	void terminate(Status status) {
		if (this.finished) {
			return;
		}
		if (this.closeStatus == null) {
			this.terminated = status;
			this.closeStatus = status;
		}
		this.cancelled = true;
		this.stream.terminate(status);
	}

	/**
	 * Ends the call because its deadline has passed. The client has given it up, so there
	 * is nobody to read a status: the stream is reset, as grpc-java does (case B27).
	 */
	void expire(Status status) {
		if (!this.finished) {
			this.cancelled = true;
			this.stream.cancel(status);
		}
	}

	/**
	 * The connection took bytes of messages. The call becomes ready if it was not, unless
	 * it is closed.
	 * @param bytes how many, prefixes included
	 */
	void bytesWritten(int bytes) {
		int before = UNWRITTEN.getAndAdd(this, -bytes);
		int threshold = this.onReadyThreshold;
		if (before >= threshold && before - bytes < threshold && this.closeStatus == null && this.stream.isWritable()) {
			this.delivery.ready();
		}
	}

	/**
	 * The connection takes bytes again.
	 */
	void connectionWritable() {
		if (this.unwritten < this.onReadyThreshold && this.closeStatus == null) {
			this.delivery.ready();
		}
	}

	/**
	 * The stream has ended.
	 * @param failure {@code null} if the status went out, else why not
	 */
	void streamEnded(@Nullable Status failure) {
		if (this.finished) {
			return;
		}
		this.finished = true;
		Status told = this.closeStatus;
		boolean complete = failure == null && told != null;
		Status status = complete ? told : (failure != null) ? failure : Status.CANCELLED;
		boolean cancelled = !complete || this.terminated != null;
		boolean served = this.delivery.isServed();
		if (cancelled && served) {
			this.telemetry.callCancelled();
		}
		this.telemetry.callClosed(status, this.startNanos, this.loop.nanoTime() - this.startNanos, served);
		if (this.tracers != null) {
			this.tracers.closed(status);
		}
		if (cancelled) {
			this.cancelled = true;
			this.delivery.cancel(status);
		}
		else {
			this.delivery.complete();
		}
	}

}
