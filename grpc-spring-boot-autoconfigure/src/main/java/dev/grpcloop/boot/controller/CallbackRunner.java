package dev.grpcloop.boot.controller;

import io.grpc.Context;
import io.netty.util.concurrent.FastThreadLocalThread;

/**
 * Runs the work of one call in the callback that brings it. Off the event loop a
 * cancellation interrupts it: the callback that would tell of it comes only when this one
 * has returned, but the {@link Context} is cancelled at once.
 */
final class CallbackRunner implements Runner, Context.CancellationListener {

	private final Interruption interruption = new Interruption();

	private boolean listening;

	@Override
	public void execute(Runnable work) {
		if (Thread.currentThread() instanceof FastThreadLocalThread) {
			// an event loop
			work.run();
			return;
		}
		if (!this.listening) {
			this.listening = true;
			Context.current().addListener(this, Runnable::run);
		}
		this.interruption.run(work);
	}

	@Override
	public void cancelled(Context context) {
		if (context.cancellationCause() != null) {
			interrupt();
		}
	}

	@Override
	public void interrupt() {
		this.interruption.interrupt();
	}

}
