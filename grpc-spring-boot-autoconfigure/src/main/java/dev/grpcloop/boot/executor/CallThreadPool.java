package dev.grpcloop.boot.executor;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.util.CustomizableThreadCreator;

/**
 * Platform threads for service code that may block. Threads are made on demand, up to the
 * limit before a call has to wait, and end after a minute without work. A call that finds
 * the queue full is rejected, which its client sees as RESOURCE_EXHAUSTED.
 */
final class CallThreadPool implements Executor, AutoCloseable {

	private static final long IDLE_SECONDS = 60;

	private final ThreadPoolExecutor threads;

	CallThreadPool(String namePrefix, int maxThreads, int queueCapacity) {
		CustomizableThreadCreator creator = new CustomizableThreadCreator(namePrefix);
		creator.setDaemon(true);
		this.threads = new ThreadPoolExecutor(maxThreads, maxThreads, IDLE_SECONDS, TimeUnit.SECONDS,
				(queueCapacity > 0) ? new LinkedBlockingQueue<>(queueCapacity) : new SynchronousQueue<>(),
				creator::createThread);
		this.threads.allowCoreThreadTimeOut(true);
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
