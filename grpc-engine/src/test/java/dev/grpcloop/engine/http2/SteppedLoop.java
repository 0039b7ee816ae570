package dev.grpcloop.engine.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.call.DeadlineWheel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.Ticker;

/**
 * An event loop that runs a task when the test says so, on a clock that the test moves.
 * <p>
 * The test's thread plays all threads in turn. It is the loop's while the loop
 * {@linkplain #enter runs} something, and another one's at all other times; code of
 * another thread may let the loop run in its midst, but never the loop itself in its own.
 */
final class SteppedLoop extends AbstractScheduledEventExecutor implements EventLoop {

	private final Thread testThread = Thread.currentThread();

	private final MockTicker ticker = Ticker.newMockTicker();

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final List<Future<?>> timers = new ArrayList<>();

	private boolean running;

	private boolean elsewhere;

	/**
	 * The thread that plays all others.
	 */
	Thread thread() {
		return this.testThread;
	}

	/**
	 * Whether the loop is in the middle of something.
	 */
	boolean isRunning() {
		return this.running;
	}

	/**
	 * Runs something as the loop.
	 */
	void enter(Runnable step) {
		if (this.running) {
			throw new IllegalStateException("the loop runs already, and has one thread only");
		}
		boolean before = this.elsewhere;
		this.running = true;
		this.elsewhere = false;
		try {
			step.run();
		}
		finally {
			this.running = false;
			this.elsewhere = before;
		}
	}

	/**
	 * Runs something as another thread, if need be while the loop is in the middle of
	 * something.
	 */
	void leave(Runnable step) {
		boolean before = this.elsewhere;
		this.elsewhere = true;
		try {
			step.run();
		}
		finally {
			this.elsewhere = before;
		}
	}

	/**
	 * Whether something is to happen when time passes.
	 */
	boolean hasTimers() {
		return nextScheduledTaskNano() >= 0;
	}

	boolean hasTasks() {
		return !this.tasks.isEmpty();
	}

	/**
	 * Runs the task that waits longest.
	 */
	void runOne() {
		enter(this.tasks.remove());
	}

	void runAll() {
		while (hasTasks()) {
			runOne();
		}
	}

	/**
	 * Moves the clock, and runs what is due.
	 */
	void advance(long amount, TimeUnit unit) {
		this.ticker.advance(amount, unit);
		enter(() -> {
			Runnable due;
			while ((due = pollScheduledTask(getCurrentTimeNanos())) != null) {
				due.run();
			}
		});
	}

	/**
	 * Returns how many timers wait for their time.
	 */
	int pendingTimers() {
		this.timers.removeIf(Future::isDone);
		return this.timers.size();
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
		ScheduledFuture<?> timer = super.schedule(task, delay, unit);
		this.timers.add(timer);
		return timer;
	}

	/**
	 * Returns this loop's clock, as the engine wants it.
	 */
	DeadlineWheel.Clock clock() {
		return new DeadlineWheel.Clock() {

			@Override
			public long nanoTime() {
				// the engine takes the arrival of a request from the system's clock
				return System.nanoTime() + SteppedLoop.this.ticker.nanoTime();
			}

			@Override
			public void schedule(Runnable task, long delayNanos) {
				SteppedLoop.this.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
			}

		};
	}

	@Override
	public Ticker ticker() {
		return this.ticker;
	}

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
	}

	@Override
	public boolean inEventLoop(Thread thread) {
		return thread == this.testThread && this.running && !this.elsewhere;
	}

	@Override
	public EventLoop next() {
		return this;
	}

	@Override
	public EventLoopGroup parent() {
		return this;
	}

	@Override
	public ChannelFuture register(Channel channel) {
		return register(new DefaultChannelPromise(channel, this));
	}

	@Override
	public ChannelFuture register(ChannelPromise promise) {
		promise.channel().unsafe().register(this, promise);
		return promise;
	}

	@Override
	@Deprecated
	public ChannelFuture register(Channel channel, ChannelPromise promise) {
		channel.unsafe().register(this, promise);
		return promise;
	}

	@Override
	public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Future<?> terminationFuture() {
		throw new UnsupportedOperationException();
	}

	@Override
	@Deprecated
	public void shutdown() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isShuttingDown() {
		return false;
	}

	@Override
	public boolean isShutdown() {
		return false;
	}

	@Override
	public boolean isTerminated() {
		return false;
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) {
		return false;
	}

}
