package dev.grpcloop.boot.observation;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Brings the status with which a call ends from the engine to the interceptor, which
 * otherwise sees the end of some calls only: not what exceptions are translated to
 * outside of it, nor why a call is cancelled.
 */
final class ObservedStream extends ServerStreamTracer {

	private static final Context.Key<ObservedStream> KEY = Context.key("dev.grpcloop.boot.observation");

	/** A status, or who waits for it. */
	private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

	/**
	 * Returns that of the call that begins on this thread.
	 * @return the stream, or {@code null} if another server has the call
	 */
	static @Nullable ObservedStream current() {
		return KEY.get();
	}

	@Override
	public Context filterContext(Context context) {
		return context.withValue(KEY, this);
	}

	@Override
	@SuppressWarnings("unchecked")
	public void streamClosed(Status status) {
		if (this.state.getAndSet(status) instanceof Consumer<?> waiting) {
			((Consumer<Status>) waiting).accept(status);
		}
	}

	/**
	 * Returns how the call has ended.
	 * @return its status, or {@code null} while it runs
	 */
	@Nullable Status status() {
		return (this.state.get() instanceof Status status) ? status : null;
	}

	/**
	 * Waits for the end of a call whose listener will not hear of it.
	 * @param end gets the status, on this thread or on the call's event loop
	 */
	void whenClosed(Consumer<Status> end) {
		if (!this.state.compareAndSet(null, end) && this.state.get() instanceof Status status) {
			end.accept(status);
		}
	}

}
