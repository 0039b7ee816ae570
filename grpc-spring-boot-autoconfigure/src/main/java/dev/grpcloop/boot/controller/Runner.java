package dev.grpcloop.boot.controller;

/**
 * Runs what a method, or what it has returned, has to do. Never two things at a time.
 */
interface Runner {

	/**
	 * Runs something, at once or later.
	 * @param work what to do
	 * @throws java.util.concurrent.RejectedExecutionException if there is no thread for
	 * it
	 */
	void execute(Runnable work);

	/**
	 * Interrupts the thread that runs something, if one does. What has ended is not
	 * interrupted.
	 */
	void interrupt();

}
