package dev.grpcloop.boot.executor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Platform threads for service code that may block. A task that finds as many tasks
 * running and waiting as there are threads and places is rejected, which the client of
 * its call sees as RESOURCE_EXHAUSTED.
 * <p>
 * An event loop submits tasks in bursts, most of them short. Waking a thread for each
 * costs more than the task, so at most one thread at a time is on its way to the queue,
 * the searcher: an idle thread is woken, or one is made, by the first submit. When the
 * searcher has found a task and others wait, it calls the next searcher before it begins.
 * Tasks that block thus bring up as many threads as they need, short ones no more than
 * can run. The thread that went idle last is woken first; the others end when their idle
 * time is over.
 */
final class CallThreadPool implements Executor, AutoCloseable {

	private static final Duration IDLE_TIME = Duration.ofSeconds(60);

	/** How long tasks may go on after the close before their threads are interrupted. */
	private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

	private final String namePrefix;

	private final int maxThreads;

	private final long maxTasks;

	private final long idleNanos;

	private final @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

	private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

	/** Running and waiting. */
	private final AtomicInteger tasks = new AtomicInteger();

	private final AtomicBoolean searching = new AtomicBoolean();

	/** Guards the threads; their numbers are read without it. */
	private final Object monitor = new Object();

	private final Set<Worker> workers = new HashSet<>();

	private final Deque<Worker> idle = new ArrayDeque<>();

	private int threadNumber;

	private volatile int workerCount;

	private volatile int idleCount;

	private volatile boolean closed;

	CallThreadPool(String namePrefix, int maxThreads, int queueCapacity) {
		this(namePrefix, maxThreads, queueCapacity, IDLE_TIME);
	}

	CallThreadPool(String namePrefix, int maxThreads, int queueCapacity, Duration idleTime) {
		this.namePrefix = namePrefix;
		this.maxThreads = maxThreads;
		this.maxTasks = (long) maxThreads + queueCapacity;
		this.idleNanos = idleTime.toNanos();
	}

	int maxThreads() {
		return this.maxThreads;
	}

	int queueCapacity() {
		return (int) (this.maxTasks - this.maxThreads);
	}

	@Override
	public void execute(Runnable task) {
		if (this.tasks.incrementAndGet() > this.maxTasks) {
			this.tasks.decrementAndGet();
			throw new RejectedExecutionException(
					"All " + this.maxThreads + " threads are busy and " + queueCapacity() + " calls wait for one");
		}
		this.queue.add(task);
		boolean hopeless = !callSearcher();
		if ((hopeless || this.closed) && this.queue.remove(task)) {
			this.tasks.decrementAndGet();
			throw new RejectedExecutionException(this.closed ? "The pool is closed" : "The system gives no thread");
		}
	}

	/**
	 * Sees to it that a thread comes for the tasks that wait, if there can be one. It is
	 * safe to rely on a searcher that is under way and on a busy thread: when either goes
	 * idle it calls a searcher for what has come meanwhile.
	 * @return {@code false} if there is no thread and none could be made
	 */
	private boolean callSearcher() {
		while (!this.queue.isEmpty() && canHaveSearcher() && this.searching.compareAndSet(false, true)) {
			if (wakeOrStart()) {
				return true;
			}
			this.searching.set(false);
			if (this.idleCount == 0) {
				return this.workerCount > 0;
			}
		}
		return true;
	}

	private boolean canHaveSearcher() {
		return !this.searching.get() && (this.idleCount > 0 || this.workerCount < this.maxThreads);
	}

	private boolean wakeOrStart() {
		synchronized (this.monitor) {
			Worker worker = this.idle.pollFirst();
			if (worker == null) {
				return !this.closed && this.workers.size() < this.maxThreads && start();
			}
			this.idleCount = this.idle.size();
			worker.woken = true;
			LockSupport.unpark(worker.thread);
			return true;
		}
	}

	private boolean start() {
		Worker worker = new Worker(this.namePrefix + ++this.threadNumber);
		try {
			worker.thread.start();
		}
		catch (OutOfMemoryError ex) {
			// the system gives no more threads: those that are there do the work
			return false;
		}
		this.workers.add(worker);
		this.workerCount = this.workers.size();
		return true;
	}

	/**
	 * Ends the threads after the tasks that were accepted. Tasks that take too long are
	 * interrupted.
	 */
	@Override
	public void close() {
		this.closed = true;
		long deadline = System.nanoTime() + CLOSE_TIME.toNanos();
		synchronized (this.monitor) {
			this.idle.forEach((worker) -> LockSupport.unpark(worker.thread));
			try {
				long remaining = CLOSE_TIME.toNanos();
				while (hasOtherWorkers() && remaining > 0) {
					TimeUnit.NANOSECONDS.timedWait(this.monitor, remaining);
					remaining = deadline - System.nanoTime();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.workers.forEach((worker) -> worker.thread.interrupt());
		}
	}

	/** A task that closes the pool does not wait for itself. */
	private boolean hasOtherWorkers() {
		return this.workers.stream().anyMatch((worker) -> worker.thread != Thread.currentThread());
	}

	int threadCount() {
		return this.workerCount;
	}

	int idleCount() {
		return this.idleCount;
	}

	/**
	 * Reads the numbers of the pool without its lock.
	 */
	CallExecutor.Pool numbers() {
		int threads = this.workerCount;
		return new CallExecutor.Pool(threads, this.maxThreads, Math.max(0, threads - this.idleCount), this.queue.size(),
				(int) (this.maxTasks - this.maxThreads));
	}

	private final class Worker implements Runnable {

		private final Thread thread;

		private volatile boolean woken;

		Worker(String name) {
			this.thread = new Thread(this, name);
			this.thread.setDaemon(true);
			this.thread.setContextClassLoader(CallThreadPool.this.classLoader);
		}

		@Override
		public void run() {
			do {
				search();
			}
			while (awaitCall());
		}

		/** Begins as the searcher, ends when there is no task. */
		private void search() {
			Runnable task = CallThreadPool.this.queue.poll();
			CallThreadPool.this.searching.set(false);
			callSearcher();
			while (task != null) {
				run(task);
				task = CallThreadPool.this.queue.poll();
			}
		}

		private void run(Runnable task) {
			try {
				task.run();
			}
			catch (Throwable ex) {
				this.thread.getUncaughtExceptionHandler().uncaughtException(this.thread, ex);
			}
			finally {
				CallThreadPool.this.tasks.decrementAndGet();
			}
		}

		/**
		 * Waits until this thread is made the searcher.
		 * @return {@code false} if it ends
		 */
		private boolean awaitCall() {
			synchronized (CallThreadPool.this.monitor) {
				this.woken = false;
				CallThreadPool.this.idle.addFirst(this);
				CallThreadPool.this.idleCount = CallThreadPool.this.idle.size();
			}
			callSearcher();
			long deadline = System.nanoTime() + CallThreadPool.this.idleNanos;
			while (!this.woken) {
				long remaining = deadline - System.nanoTime();
				if ((CallThreadPool.this.closed || remaining <= 0) && end()) {
					return false;
				}
				LockSupport.parkNanos(CallThreadPool.this, remaining);
				// parking is no wait while a task has left the flag set
				Thread.interrupted();
			}
			return true;
		}

		private boolean end() {
			synchronized (CallThreadPool.this.monitor) {
				if (!CallThreadPool.this.idle.remove(this)) {
					return false;
				}
				CallThreadPool.this.idleCount = CallThreadPool.this.idle.size();
				CallThreadPool.this.workers.remove(this);
				CallThreadPool.this.workerCount = CallThreadPool.this.workers.size();
				CallThreadPool.this.monitor.notifyAll();
				return true;
			}
		}

	}

}
