package dev.grpcloop.engine.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.grpcloop.engine.Backend;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of all kinds, cancels, deadlines, connects, kills, restarts and hostile peers,
 * mixed, with a check of every call, of the gauges and of the memory after each round.
 * <p>
 * {@code soak.minutes} is how long all backends take together, a minute by default;
 * {@code soak.seed} repeats the choices of a run.
 */
class SoakTests {

	private static final long SECONDS = Math.round(60 * Double.parseDouble(System.getProperty("soak.minutes", "1")));

	private static final long SEED = Long.getLong("soak.seed", System.nanoTime());

	private static final int ROUNDS = 8;

	private static final int LEAST_CALLS = 100;

	private static final int CALLS_AT_ONCE = 40;

	private static final int STRANGERS_AT_ONCE = 2;

	private static final int PATIENCE_SECONDS = 90;

	private static final int SHOWN_FAULTS = 10;

	private final Ledger ledger = new Ledger();

	private final Gauges gauges = new Gauges();

	private final Semaphore places = new Semaphore(CALLS_AT_ONCE);

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

	private final Semaphore strangersPlaces = new Semaphore(STRANGERS_AT_ONCE);

	private final ExecutorService strangers = Executors.newFixedThreadPool(STRANGERS_AT_ONCE);

	private final ExecutorService operator = Executors.newSingleThreadExecutor();

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	private final SplittableRandom random = new SplittableRandom(SEED);

	private long calls;

	@ParameterizedTest
	@MethodSource
	@Timeout(value = 1, unit = TimeUnit.DAYS)
	void everyCallEndsAsItShouldAndNothingIsLeft(Backend backend) throws Exception {
		Memory memory = new Memory();
		long roundNanos = TimeUnit.SECONDS.toNanos(SECONDS) / backends().size() / ROUNDS;
		try (FaultLog log = new FaultLog();
				Servers servers = new Servers(backend, this.ledger, this.timer, this.gauges);
				Clients clients = new Clients(servers, SEED)) {
			long begin = System.nanoTime();
			for (int round = 1; round <= ROUNDS; round++) {
				load(servers, clients, begin + round * roundNanos);
				settle(clients);
				memory.sample();
				assertThat(log.faults()).as("faults in the log; seed " + SEED).isEmpty();
			}
			clients.leave();
			servers.end();
			memory.assertFlat();
		}
		finally {
			this.strangers.shutdownNow();
			this.operator.shutdownNow();
			this.timer.shutdownNow();
		}
		System.out.println(
				"soak on " + backend + ", seed " + SEED + ": " + this.calls + " calls, " + this.gauges + ", " + memory);
		await("no thread of the servers is left", () -> engineThreads().isEmpty());
	}

	static Stream<Backend> everyCallEndsAsItShouldAndNothingIsLeft() {
		return backends().stream();
	}

	private static List<Backend> backends() {
		return Arrays.stream(Backend.values())
			.filter((backend) -> backend != Backend.AUTO && backend.isAvailable())
			.toList();
	}

	private void load(Servers servers, Clients clients, long until) throws InterruptedException {
		// the end of a round takes from the time of the next, but not all of it
		long least = this.calls + LEAST_CALLS;
		while ((System.nanoTime() - until < 0 || this.calls < least) && this.failure.get() == null) {
			this.calls++;
			if (this.calls % 10 == 0) {
				HostilePeer stranger = new HostilePeer(servers.steadyPort(this.random.nextBoolean()),
						this.random.nextLong());
				if (this.strangersPlaces.tryAcquire()) {
					this.strangers.execute(() -> {
						stranger.run();
						this.strangersPlaces.release();
					});
				}
			}
			if (this.calls % 50 == 0) {
				clients.replaceAny(this.random);
				clients.connectNow();
			}
			if (this.calls % 400 == 0) {
				this.operator.execute(() -> guarded(servers::restart));
			}
			Clients.Client client = clients.any(this.random);
			Script script = Script.of(this.random.nextLong());
			if (!this.places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new AssertionError("calls hang; seed " + SEED + ": " + this.ledger.running());
			}
			CallRecord record = this.ledger.open(script, client.fate());
			new ClientScript(record, client.channel(), this.timer, this.places::release).start();
		}
	}

	private void guarded(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException ex) {
			this.failure.compareAndSet(null, ex);
		}
	}

	/**
	 * Waits until all is quiet, and judges what was.
	 */
	private void settle(Clients clients) throws Exception {
		this.operator.submit(() -> {
		}).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		clients.connectNow();
		await("the strangers have gone", () -> this.strangersPlaces.availablePermits() == STRANGERS_AT_ONCE);
		try {
			await("all calls have ended", () -> this.ledger.running().isEmpty() || this.failure.get() != null);
		}
		catch (RuntimeException ex) {
			throw new AssertionError("calls hang; seed " + SEED + ": " + this.ledger.running(), ex);
		}
		assertThat(this.failure.get()).as("seed " + SEED).isNull();
		clients.replaceAll();
		try {
			await("all gauges are zero", this.gauges::areZero);
		}
		catch (RuntimeException ex) {
			throw new AssertionError(this.gauges + "; seed " + SEED, ex);
		}
		List<String> faults = new ArrayList<>(this.ledger.settle());
		assertThat(faults.stream().limit(SHOWN_FAULTS))
			.as("%d faults in %d calls; seed %d", faults.size(), this.calls, SEED)
			.isEmpty();
	}

	private static void await(String what, Callable<Boolean> condition) {
		Awaitility.await(what)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.atMost(Duration.ofSeconds(PATIENCE_SECONDS))
			.until(condition);
	}

	private static List<String> engineThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("grpc-loop") || name.startsWith("grpc-call"))
			.toList();
	}

}
