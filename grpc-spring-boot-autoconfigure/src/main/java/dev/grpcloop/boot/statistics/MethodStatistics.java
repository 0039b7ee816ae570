package dev.grpcloop.boot.statistics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one method, all event loops together. They never fall. Any thread may
 * read them.
 */
public final class MethodStatistics {

	private final @Nullable MethodDescriptor<?, ?> method;

	private final List<MethodRecorder> loops = new CopyOnWriteArrayList<>();

	MethodStatistics(@Nullable MethodDescriptor<?, ?> method) {
		this.method = method;
	}

	void add(MethodRecorder loop) {
		this.loops.add(loop);
	}

	/**
	 * Returns the method.
	 * @return the method, or {@code null} for all that the server does not know
	 */
	public @Nullable MethodDescriptor<?, ?> method() {
		return this.method;
	}

	/**
	 * Returns how many calls have begun.
	 * @return the number
	 */
	public long started() {
		return sum(MethodRecorder::started);
	}

	/**
	 * Returns how many calls have ended.
	 * @return the number
	 */
	public long closed() {
		return sum(MethodRecorder::closed);
	}

	/**
	 * Returns how many calls have ended with a status.
	 * @param code the status code
	 * @return the number
	 */
	public long closed(Status.Code code) {
		return sum((loop) -> loop.closed(code));
	}

	/**
	 * Returns of how many calls the service was told that they are cancelled.
	 * @return the number; not that of the status, which a service may give itself
	 */
	public long cancelled() {
		return sum(MethodRecorder::cancelled);
	}

	/**
	 * Returns how many calls run.
	 * @return the number, never negative
	 */
	public long active() {
		// in this order: what ends in between has begun before the second reading
		long down = closed();
		return started() - down;
	}

	/**
	 * Returns how long the calls that run have run, all together.
	 * @return nanoseconds
	 */
	public long activeNanos() {
		return sum((loop) -> loop.running().totalNanos(System::nanoTime));
	}

	/**
	 * Returns how long the oldest of the calls that run has run.
	 * @return nanoseconds, 0 if no call runs
	 */
	public long oldestNanos() {
		long oldest = 0;
		for (MethodRecorder loop : this.loops) {
			oldest = Math.max(oldest, loop.running().oldestNanos(System::nanoTime));
		}
		return oldest;
	}

	/**
	 * Returns how many request messages were received.
	 * @return the number
	 */
	public long messagesReceived() {
		return sum(MethodRecorder::messagesReceived);
	}

	/**
	 * Returns how many response messages were sent.
	 * @return the number
	 */
	public long messagesSent() {
		return sum(MethodRecorder::messagesSent);
	}

	/**
	 * Returns the size of all request messages, as they were on the wire.
	 * @return the number of bytes, prefixes not counted
	 */
	public long bytesReceived() {
		return sum(MethodRecorder::bytesReceived);
	}

	/**
	 * Returns the size of all response messages, as they were on the wire.
	 * @return the number of bytes, prefixes not counted
	 */
	public long bytesSent() {
		return sum(MethodRecorder::bytesSent);
	}

	/**
	 * Returns how long the calls that have ended took, all together.
	 * @return nanoseconds
	 */
	public long totalNanos() {
		return sum(MethodRecorder::totalNanos);
	}

	/**
	 * Returns how many calls ended after a time within one of the {@link LatencyBuckets}.
	 * @param bucket the index of the bucket
	 * @return the number
	 */
	public long latency(int bucket) {
		return sum((loop) -> loop.latency(bucket));
	}

	private long sum(ToLongFunction<MethodRecorder> number) {
		long sum = 0;
		for (MethodRecorder loop : this.loops) {
			sum += number.applyAsLong(loop);
		}
		return sum;
	}

}
