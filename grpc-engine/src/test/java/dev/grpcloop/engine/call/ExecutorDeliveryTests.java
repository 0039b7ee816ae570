package dev.grpcloop.engine.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls whose callbacks run on threads of a pool, while the loop and another thread do
 * their part at the same time: the races that no stepped scheduler can set up. It counts
 * and does not time; a run that hangs is a failure.
 */
@Timeout(60)
class ExecutorDeliveryTests {

	private static final int CALLS = 8000;

	static final int AT_ONCE = 16;

	private static final int MESSAGES_IN_TURNS = 8000;

	private final List<ExecutorService> threads = new ArrayList<>();

	/** Tasks that run or wait. Only tasks make tasks, so at 0 all has been done. */
	private final Phaser tasks = new Phaser(1);

	final Executor loop = counted(Executors.newSingleThreadExecutor());

	private final Executor pool = counted(Executors.newFixedThreadPool(3));

	final Executor asker = counted(Executors.newSingleThreadExecutor());

	private final List<String> faults = new ArrayList<>();

	private final CallEnvironment environment;

	private final CallLoop callLoop;

	private final MethodRoute<?, ?> route;

	volatile @Nullable Thread loopThread;

	ExecutorDeliveryTests() {
		MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
			.setType(MethodDescriptor.MethodType.BIDI_STREAMING)
			.setFullMethodName("t.Raw/Bidi")
			.build();
		ServerServiceDefinition service = ServerServiceDefinition.builder("t.Raw")
			.addMethod(method,
					(call, headers) -> DeliveredCall.BY_NUMBER.get(Integer.parseInt(headers.get(DeliveredCall.NUMBER)))
						.start(call))
			.build();
		MethodRegistry registry = new MethodRegistry(List.of(service), List.of(), null, (descriptor) -> false);
		this.environment = new CallEnvironment(registry, this.pool, null, Context.ROOT,
				CompressorRegistry.getDefaultInstance(), DecompressorRegistry.getDefaultInstance(), 1 << 20, 1 << 26,
				List.of(), ExecutorTelemetry.NOOP);
		this.callLoop = new CallLoop(LoopTelemetry.NOOP, registry, new NoDeadlines());
		this.route = registry.lookup(AsciiString.of("/t.Raw/Bidi"));
		this.loop.execute(() -> this.loopThread = Thread.currentThread());
		this.tasks.arriveAndAwaitAdvance();
	}

	private Executor counted(ExecutorService service) {
		this.threads.add(service);
		return (task) -> {
			this.tasks.register();
			service.execute(() -> {
				try {
					task.run();
				}
				catch (Throwable ex) {
					fault("a task threw " + ex);
				}
				finally {
					this.tasks.arriveAndDeregister();
				}
			});
		};
	}

	@AfterEach
	void stop() throws InterruptedException {
		for (ExecutorService service : this.threads) {
			service.shutdown();
			assertThat(service.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void everyCallHasOneEndAndItsCallbacksInOrder() {
		Random random = new Random(1);
		for (int from = 0; from < CALLS; from += AT_ONCE) {
			run((number) -> new DeliveredCall(this, number, random.nextLong()));
		}
		assertThat(this.faults).isEmpty();
	}

	/**
	 * The client sends each message when it has the answer to the last one, which is when
	 * the task that gave the answer comes to its end. A signal that is lost then is never
	 * followed by another.
	 */
	@Test
	void aSignalThatMeetsTheEndOfTheTaskIsNotLost() {
		run((number) -> new DeliveredCall(this, number, MESSAGES_IN_TURNS));
		assertThat(this.faults).isEmpty();
	}

	/**
	 * Runs calls at the same time, until nothing is left to do.
	 */
	private void run(IntFunction<DeliveredCall> factory) {
		List<DeliveredCall> calls = new ArrayList<>();
		for (int number = 0; number < AT_ONCE; number++) {
			DeliveredCall call = factory.apply(number);
			DeliveredCall.BY_NUMBER.set(number, call);
			calls.add(call);
		}
		calls.forEach((call) -> this.loop.execute(() -> call.open(this.route, this.callLoop, this.environment)));
		this.tasks.arriveAndAwaitAdvance();
		for (DeliveredCall call : calls) {
			assertThat(call.ends.get()).as("ends of " + call).isEqualTo((call.call != null) ? 1 : 0);
			assertThat(call.over).as(call + " is over").isTrue();
			assertThat(call.outliving).as("count of service code that outlives " + call).isZero();
		}
	}

	synchronized void fault(String fault) {
		this.faults.add(fault);
	}

	private static final class NoDeadlines implements DeadlineWheel.Clock {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public void schedule(Runnable task, long delayNanos) {
			throw new UnsupportedOperationException("no call has a deadline");
		}

	}

	private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

		@Override
		public InputStream stream(byte[] value) {
			return new ByteArrayInputStream(value);
		}

		@Override
		public byte[] parse(InputStream stream) {
			try {
				return stream.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
