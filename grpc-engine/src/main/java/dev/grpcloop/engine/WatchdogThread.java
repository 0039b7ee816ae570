package dev.grpcloop.engine;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.LoopWatchdog;

/**
 * Lets the watchdog look at the event loops, twice in each threshold, until interrupted.
 */
final class WatchdogThread extends Thread {

	private final LoopWatchdog watchdog;

	private final long periodNanos;

	WatchdogThread(LoopWatchdog watchdog, long thresholdNanos) {
		super("grpc-loop-watchdog");
		setDaemon(true);
		this.watchdog = watchdog;
		this.periodNanos = Math.max(thresholdNanos / 2, 1);
	}

	@Override
	public void run() {
		try {
			while (true) {
				TimeUnit.NANOSECONDS.sleep(this.periodNanos);
				this.watchdog.look(System.nanoTime());
			}
		}
		catch (InterruptedException ex) {
			// the server has ended
		}
	}

}
