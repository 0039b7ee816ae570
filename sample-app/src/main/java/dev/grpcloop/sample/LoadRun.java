package dev.grpcloop.sample;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import org.jspecify.annotations.Nullable;

/**
 * Callers over a few connections, from one turning on to the turning off. Each has one
 * call at a time and rests after it, for a time that swells and shrinks, so that there is
 * something to see. None of them has a thread of its own.
 */
final class LoadRun {

	private static final int CALLERS = 32;

	private static final int CONNECTIONS = 3;

	private static final int SHORTEST_REST_MILLIS = 10;

	private static final int LONGEST_REST_MILLIS = 60;

	private static final double SWELL_SECONDS = 40;

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(LoadRun::thread);

	private final List<ManagedChannel> channels;

	private final LongAdder ended = new LongAdder();

	private @Nullable ManagedChannel visitor;

	/**
	 * Begins to call.
	 * @param port where the server listens
	 * @param everySecond is told that a second has passed
	 */
	LoadRun(int port, Runnable everySecond) {
		this.channels = Stream.generate(() -> connect(port)).limit(CONNECTIONS).toList();
		for (int i = 0; i < CALLERS; i++) {
			call(new RandomCall(this.channels.get(i % CONNECTIONS), this.scheduler));
		}
		this.scheduler.scheduleAtFixedRate(everySecond, 1, 1, TimeUnit.SECONDS);
		this.scheduler.scheduleAtFixedRate(() -> visit(port), 5, 10, TimeUnit.SECONDS);
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "load");
		thread.setDaemon(true);
		return thread;
	}

	private static ManagedChannel connect(int port) {
		return Grpc.newChannelBuilderForAddress("localhost", port, InsecureChannelCredentials.create()).build();
	}

	private void call(RandomCall caller) {
		caller.begin(() -> {
			this.ended.increment();
			rest(caller);
		});
	}

	private void rest(RandomCall caller) {
		double swell = (1 + Math.sin(System.nanoTime() / 1e9 / SWELL_SECONDS * 2 * Math.PI)) / 2;
		double longest = SHORTEST_REST_MILLIS + swell * (LONGEST_REST_MILLIS - SHORTEST_REST_MILLIS);
		long millis = Math.round(ThreadLocalRandom.current().nextDouble(SHORTEST_REST_MILLIS / 2.0, longest));
		try {
			this.scheduler.schedule(() -> call(caller), millis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			// the load was turned off
		}
	}

	/** A client comes over a connection of its own, and the one before goes. */
	private synchronized void visit(int port) {
		if (this.scheduler.isShutdown()) {
			return;
		}
		if (this.visitor != null) {
			this.visitor.shutdown();
		}
		this.visitor = connect(port);
		new RandomCall(this.visitor, this.scheduler).begin(this.ended::increment);
	}

	long ended() {
		return this.ended.sum();
	}

	/**
	 * Ends all calls and connections.
	 */
	synchronized void stop() {
		this.scheduler.shutdownNow();
		this.channels.forEach(ManagedChannel::shutdownNow);
		if (this.visitor != null) {
			this.visitor.shutdownNow();
		}
	}

}
