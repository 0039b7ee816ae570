package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import dev.grpcloop.engine.call.CallStream;
import dev.grpcloop.engine.call.PostQueue;
import io.netty.channel.EventLoop;

/**
 * What a connection does between two flushes: the frames of one read, the posts of other
 * threads, or a timer. While a batch runs, frames are appended to the outbound buffer,
 * tasks for executors are gathered, and closes are put off; at its end all three happen.
 * <p>
 * Owned by the event loop, but for {@link #post}.
 */
final class ConnectionBatch {

	/** A transport may go on reading for as long as there is something to read. */
	static final int MOST_BYTES = 256 * 1024;

	private final EventLoop eventLoop;

	private final Http2Connection connection;

	private final PostQueue posts;

	private final List<CallStream.BatchTask> tasks = new ArrayList<>(4);

	private boolean running;

	private boolean scheduled;

	private boolean resume;

	private boolean drain;

	private long nanos;

	private int bytesRead;

	ConnectionBatch(EventLoop eventLoop, Http2Connection connection) {
		this.eventLoop = eventLoop;
		this.connection = connection;
		this.posts = new PostQueue(eventLoop, this::runPosts);
	}

	void begin() {
		if (!this.running) {
			this.running = true;
			this.connection.outboundFlow().newTurn();
			this.nanos = this.connection.nanoTime();
			this.bytesRead = 0;
		}
	}

	/**
	 * All frames of what was read have been looked at. A batch that has read much ends
	 * here: its answers are not to wait, nor to gather, until the peer falls silent.
	 */
	void read(int bytes) {
		this.bytesRead += bytes;
		if (this.bytesRead >= MOST_BYTES) {
			end();
		}
	}

	/**
	 * When the batch began, as {@link System#nanoTime()} tells it: the time at which all
	 * that it reads has arrived.
	 */
	long nanos() {
		return this.nanos;
	}

	void end() {
		try {
			if (this.resume) {
				this.resume = false;
				this.connection.resumeStreams();
			}
			else if (this.drain) {
				this.drain = false;
				this.connection.outboundFlow().drain();
			}
			checkGuards();
			runTasks();
			this.connection.returnCredit();
		}
		finally {
			this.running = false;
		}
		this.connection.frames().flush();
		this.connection.pressure().flushed();
		this.connection.closing().batchEnded();
		if (this.resume || this.drain) {
			// other connections of this loop come first
			schedule();
		}
	}

	/**
	 * Ends the connection if a guard has tripped while something was written.
	 */
	private void checkGuards() {
		FrameBudget exceeded = this.connection.abuse().tripped();
		if (exceeded != null) {
			this.connection.errors().tripped(exceeded.guard(), exceeded.excess());
		}
	}

	private void runTasks() {
		for (int i = 0; i < this.tasks.size(); i++) {
			this.tasks.get(i).batchEnded();
		}
		this.tasks.clear();
	}

	/**
	 * Something was written, or is to be done at the end of the batch. Outside a batch
	 * this begins one that ends when the loop comes to it.
	 */
	void wrote() {
		if (!this.running) {
			schedule();
		}
	}

	/**
	 * The channel takes bytes again: the streams go on at the end of the batch.
	 */
	void resumeAtEnd() {
		this.resume = true;
		wrote();
	}

	/**
	 * Streams have more to write than one turn: they go on in the next batch.
	 */
	void drainInNext() {
		this.drain = true;
		wrote();
	}

	void atEnd(CallStream.BatchTask task) {
		this.tasks.add(task);
		wrote();
	}

	private void schedule() {
		if (!this.scheduled) {
			this.scheduled = true;
			try {
				this.eventLoop.execute(this::runScheduled);
			}
			catch (RejectedExecutionException ex) {
				// the loop has been shut down, and the channel is closed
			}
		}
	}

	private void runScheduled() {
		this.scheduled = false;
		if (!this.running) {
			begin();
			end();
		}
	}

	/**
	 * Runs a node in a batch. Any thread.
	 */
	void post(PostQueue.Node node) {
		this.posts.post(node);
	}

	private void runPosts() {
		run(this.posts::drain);
	}

	/**
	 * Runs something in a batch.
	 */
	void run(Runnable step) {
		boolean outermost = !this.running;
		begin();
		try {
			step.run();
		}
		finally {
			// a batch that never ends would keep all that follows unflushed
			if (outermost) {
				end();
			}
		}
	}

}
