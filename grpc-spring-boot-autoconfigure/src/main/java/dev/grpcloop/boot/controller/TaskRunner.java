package dev.grpcloop.boot.controller;

import java.util.concurrent.Executor;

/**
 * Runs the work of one call in tasks of their own, with the thread-bound context of the
 * call: it may wait for what the callbacks of the call bring.
 */
final class TaskRunner implements Runner {

	private final Executor executor;

	private final CallerContext.Scope scope;

	/** Of the work that runs, or has run last. */
	private volatile Interruption interruption = new Interruption();

	/**
	 * To be made in a callback of the call.
	 */
	TaskRunner(Executor executor, CallerContext callerContext) {
		this.executor = executor;
		this.scope = callerContext.capture();
	}

	@Override
	public void execute(Runnable work) {
		this.executor.execute(() -> {
			// its own: the thread before may not have left the work that it has done
			Interruption interruption = new Interruption();
			this.interruption = interruption;
			interruption.run(() -> this.scope.run(work));
		});
	}

	@Override
	public void interrupt() {
		this.interruption.interrupt();
	}

}
