package dev.grpcloop.boot.controller;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a piece of work for as long as it does, and not a
 * moment longer.
 */
final class Interruption {

	private @Nullable Thread thread;

	private boolean interrupted;

	/**
	 * Runs the work on this thread.
	 */
	void run(Runnable work) {
		begin(Thread.currentThread());
		try {
			work.run();
		}
		finally {
			end();
		}
	}

	private synchronized void begin(Thread thread) {
		this.thread = thread;
	}

	/** The next work of the thread is not to see the interrupt. */
	private synchronized void end() {
		this.thread = null;
		if (this.interrupted) {
			this.interrupted = false;
			Thread.interrupted();
		}
	}

	/**
	 * Interrupts the work, if it runs. Any thread.
	 */
	synchronized void interrupt() {
		if (this.thread != null) {
			this.interrupted = true;
			this.thread.interrupt();
		}
	}

}
