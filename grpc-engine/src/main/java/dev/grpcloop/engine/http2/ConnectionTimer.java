package dev.grpcloop.engine.http2;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Looks, when time may be up, whether it is. To put the time off, which is what nearly
 * all frames do, costs its {@link Duty} a store and no timer: the timer looks at the time
 * it was first set to, and again as much later as is left then.
 * <p>
 * A loop that was held by service code may not have read what has come in time. So a
 * timer that finds the time up looks once more, after the loop has turned.
 * <p>
 * Owned by the event loop.
 */
final class ConnectionTimer {

	private final EventLoop eventLoop;

	private final Duty duty;

	private @Nullable Future<?> scheduled;

	private boolean secondLook;

	ConnectionTimer(EventLoop eventLoop, Duty duty) {
		this.eventLoop = eventLoop;
		this.duty = duty;
	}

	/**
	 * Begins to look, unless it does so already.
	 */
	void start() {
		if (this.scheduled == null) {
			lookIn(this.duty.remainingNanos());
		}
	}

	void stop() {
		if (this.scheduled != null) {
			this.scheduled.cancel(false);
			this.scheduled = null;
		}
		this.secondLook = false;
	}

	private void lookIn(long nanos) {
		if (nanos != ConnectionLife.NEVER) {
			this.scheduled = this.eventLoop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
		}
	}

	private void look() {
		this.scheduled = null;
		long remaining = this.duty.remainingNanos();
		if (remaining > 0) {
			this.secondLook = false;
			lookIn(remaining);
		}
		else if (!this.secondLook) {
			this.secondLook = true;
			lookIn(0);
		}
		else {
			this.secondLook = false;
			this.duty.timeIsUp();
		}
	}

	/**
	 * What there is a time for.
	 */
	interface Duty {

		/**
		 * Returns how long until time is up, as far as is known now.
		 * @return nanoseconds, {@link ConnectionLife#NEVER} if nothing is waited for
		 */
		long remainingNanos();

		/**
		 * Time is up. The timer has stopped.
		 */
		void timeIsUp();

	}

}
