package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor that runs a task when the test says so, in any order, as a pool of threads
 * may do.
 */
final class SteppedExecutor implements Executor {

	private final SteppedLoop loop;

	private final List<Runnable> tasks = new ArrayList<>();

	private boolean rejects;

	private boolean direct;

	private Runnable interruption = () -> {
	};

	/** How many tasks were refused. */
	int rejections;

	SteppedExecutor(SteppedLoop loop) {
		this.loop = loop;
	}

	/**
	 * Tasks run at once, in the thread that brings them.
	 */
	void runsDirectly() {
		this.direct = true;
	}

	void rejects(boolean rejects) {
		this.rejects = rejects;
	}

	boolean isRejecting() {
		return this.rejects;
	}

	@Override
	public void execute(Runnable task) {
		if (this.rejects) {
			this.rejections++;
			throw new RejectedExecutionException("no thread");
		}
		if (this.direct) {
			task.run();
			return;
		}
		this.tasks.add(task);
		this.interruption.run();
	}

	/**
	 * Other threads do something as soon as a task was taken.
	 */
	void interruptedBy(Runnable interruption) {
		this.interruption = interruption;
	}

	boolean hasTasks() {
		return !this.tasks.isEmpty();
	}

	int size() {
		return this.tasks.size();
	}

	/**
	 * Runs one of the tasks that wait, as a thread that is not the loop's.
	 */
	void run(int index) {
		this.loop.leave(this.tasks.remove(index));
	}

	void runAll() {
		while (hasTasks()) {
			run(0);
		}
	}

}
