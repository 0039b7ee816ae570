package dev.grpcloop.engine.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

import dev.grpcloop.engine.telemetry.LoopTelemetry;
import io.grpc.Attributes;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.netty.buffer.Unpooled;
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

	private static final int AT_ONCE = 16;

	private static final int MESSAGES_IN_TURNS = 8000;

	private final List<ExecutorService> threads = new ArrayList<>();

	/** Tasks that run or wait. Only tasks make tasks, so at 0 all has been done. */
	private final Phaser tasks = new Phaser(1);

	private final Executor loop = counted(Executors.newSingleThreadExecutor());

	private final Executor pool = counted(Executors.newFixedThreadPool(3));

	private final Executor asker = counted(Executors.newSingleThreadExecutor());

	private final List<String> faults = new ArrayList<>();

	private final CallEnvironment environment;

	private final CallLoop callLoop;

	private final MethodRoute<?, ?> route;

	private volatile @Nullable Thread loopThread;

	ExecutorDeliveryTests() {
		MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
			.setType(MethodDescriptor.MethodType.BIDI_STREAMING)
			.setFullMethodName("t.Raw/Bidi")
			.build();
		ServerServiceDefinition service = ServerServiceDefinition.builder("t.Raw")
			.addMethod(method,
					(call, headers) -> OneCall.BY_NUMBER.get(Integer.parseInt(headers.get(OneCall.NUMBER))).start(call))
			.build();
		MethodRegistry registry = new MethodRegistry(List.of(service), List.of(), null, (descriptor) -> false);
		this.environment = new CallEnvironment(registry, this.pool, null, Context.ROOT,
				CompressorRegistry.getDefaultInstance(), DecompressorRegistry.getDefaultInstance(), 1 << 20, 1 << 26,
				List.of());
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
			run((number) -> new OneCall(this, number, random.nextLong()));
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
		run((number) -> new OneCall(this, number, MESSAGES_IN_TURNS));
		assertThat(this.faults).isEmpty();
	}

	/**
	 * Runs calls at the same time, until nothing is left to do.
	 */
	private void run(IntFunction<OneCall> factory) {
		List<OneCall> calls = new ArrayList<>();
		for (int number = 0; number < AT_ONCE; number++) {
			OneCall call = factory.apply(number);
			OneCall.BY_NUMBER.set(number, call);
			calls.add(call);
		}
		calls.forEach((call) -> this.loop.execute(() -> call.open(this.route, this.callLoop, this.environment)));
		this.tasks.arriveAndAwaitAdvance();
		for (OneCall call : calls) {
			assertThat(call.ends.get()).as("ends of " + call).isEqualTo((call.call != null) ? 1 : 0);
			assertThat(call.over).as(call + " is over").isTrue();
		}
	}

	synchronized void fault(String fault) {
		this.faults.add(fault);
	}

	/**
	 * One call, from all its sides.
	 */
	private static final class OneCall extends ServerCall.Listener<byte[]> implements CallStream {

		static final Metadata.Key<String> NUMBER = Metadata.Key.of("number", Metadata.ASCII_STRING_MARSHALLER);

		static final AtomicReferenceArray<OneCall> BY_NUMBER = new AtomicReferenceArray<>(AT_ONCE);

		private final ExecutorDeliveryTests test;

		private final int number;

		private final Random random;

		private final int messages;

		private final boolean asksInCallback;

		private final boolean cancels;

		/** The client waits for the answer to each message. */
		private final boolean inTurns;

		private final PostQueue posts;

		private final List<BatchTask> batch = new ArrayList<>();

		private final AtomicBoolean inCallback = new AtomicBoolean();

		private final AtomicInteger received = new AtomicInteger();

		private final AtomicInteger ends = new AtomicInteger();

		private volatile @Nullable ServerCall<byte[], byte[]> call;

		// the loop's

		private InboundCall inbound;

		private int sent;

		private int credit;

		private boolean over;

		OneCall(ExecutorDeliveryTests test, int number, long seed) {
			this.test = test;
			this.number = number;
			this.random = new Random(seed);
			this.messages = this.random.nextInt(5);
			this.asksInCallback = this.random.nextBoolean();
			this.cancels = this.random.nextInt(3) == 0;
			this.inTurns = false;
			this.posts = new PostQueue(test.loop, this::drain);
		}

		OneCall(ExecutorDeliveryTests test, int number, int messages) {
			this.test = test;
			this.number = number;
			this.random = new Random(number);
			this.messages = messages;
			this.asksInCallback = true;
			this.cancels = false;
			this.inTurns = true;
			this.posts = new PostQueue(test.loop, this::drain);
		}

		// the client, on the loop

		void open(MethodRoute<?, ?> route, CallLoop callLoop, CallEnvironment environment) {
			Metadata headers = new Metadata();
			headers.put(NUMBER, String.valueOf(this.number));
			this.inbound = InboundCall.start(route, this, callLoop, environment,
					new CallRequest(headers, null, null, -1, System.nanoTime()));
			if (this.inTurns) {
				frame();
				endBatch();
			}
			else {
				batch();
			}
		}

		/**
		 * What one read of the connection brings.
		 */
		private void batch() {
			for (int frames = this.random.nextInt(4); frames > 0 && !this.over; frames--) {
				frame();
			}
			endBatch();
			if (!this.over && (this.sent <= this.messages || this.cancels)) {
				this.test.loop.execute(this::batch);
			}
		}

		private void frame() {
			if (this.cancels && (this.random.nextInt(3) == 0 || this.sent > this.messages)) {
				end(Status.CANCELLED);
			}
			else if (this.sent < this.messages) {
				this.sent++;
				this.inbound.data(Unpooled
					.wrappedBuffer(ByteBuffer.allocate(9).put((byte) 0).putInt(4).putInt(this.sent).array()));
			}
			else if (this.sent == this.messages) {
				this.sent++;
				this.inbound.endOfStream();
			}
		}

		private void end(@Nullable Status failure) {
			this.over = true;
			this.inbound.streamEnded(failure);
		}

		private void endBatch() {
			for (int i = 0; i < this.batch.size(); i++) {
				this.batch.get(i).batchEnded();
			}
			this.batch.clear();
		}

		private void drain() {
			this.posts.drain();
			endBatch();
		}

		// the service, on any thread

		ServerCall.Listener<byte[]> start(ServerCall<byte[], byte[]> call) {
			this.call = call;
			call.sendHeaders(new Metadata());
			ask();
			return this;
		}

		private void ask() {
			ServerCall<byte[], byte[]> asked = this.call;
			if (this.asksInCallback) {
				asked.request(1);
			}
			else {
				this.test.asker.execute(() -> asked.request(1));
			}
		}

		private void callback(String name, Runnable step) {
			if (!this.inCallback.compareAndSet(false, true)) {
				this.test.fault(name + " of " + this + " came in another callback");
			}
			if (this.ends.get() > 0) {
				this.test.fault(name + " of " + this + " came after the end");
			}
			if (inEventLoop()) {
				this.test.fault(name + " of " + this + " ran on the loop");
			}
			step.run();
			this.inCallback.set(false);
		}

		@Override
		public void onMessage(byte[] message) {
			callback("onMessage", () -> {
				int expected = this.received.incrementAndGet();
				if (ByteBuffer.wrap(message).getInt() != expected) {
					this.test.fault(this + " got its messages in another order");
				}
				this.call.sendMessage(message);
				ask();
			});
		}

		@Override
		public void onHalfClose() {
			callback("onHalfClose", () -> {
				if (this.received.get() != this.messages) {
					this.test.fault(this + " was half-closed after " + this.received + " of " + this.messages);
				}
				this.call.close(Status.OK, new Metadata());
			});
		}

		@Override
		public void onComplete() {
			callback("onComplete", this.ends::incrementAndGet);
		}

		@Override
		public void onCancel() {
			callback("onCancel", this.ends::incrementAndGet);
		}

		// the stream

		@Override
		public boolean inEventLoop() {
			return Thread.currentThread() == this.test.loopThread;
		}

		@Override
		public void post(PostQueue.Node node) {
			this.posts.post(node);
		}

		@Override
		public void connect(InboundCall call) {
			this.inbound = call;
		}

		@Override
		public void atEndOfBatch(BatchTask task) {
			this.batch.add(task);
		}

		@Override
		public boolean isWritable() {
			return true;
		}

		@Override
		public void writeHeaders(byte @Nullable [] encoding, byte[][] metadata) {
			// nobody reads them
		}

		@Override
		public boolean tryWriteMessage(byte[] framed, int length) {
			return !this.over;
		}

		@Override
		public void writeMessage(byte[] framed) {
			if (!this.over) {
				this.inbound.bytesWritten(framed.length);
				if (this.inTurns) {
					frame();
				}
			}
		}

		@Override
		public void writeTrailers(Status status, byte[][] metadata) {
			if (!this.over) {
				end(null);
			}
		}

		@Override
		public void cancel(Status status) {
			if (!this.over) {
				end(status);
			}
		}

		@Override
		public boolean wantsCreditAtOnce() {
			return (this.number & 1) == 0;
		}

		@Override
		public void returnCredit(int bytes) {
			this.credit += bytes;
			if (this.credit > 9 * this.messages) {
				this.test.fault(this + " returned more credit than it was given");
			}
		}

		@Override
		public void terminate(Status status) {
			if (!this.over) {
				end(null);
			}
		}

		@Override
		public Attributes attributes() {
			return Attributes.EMPTY;
		}

		@Override
		public @Nullable String authority() {
			return null;
		}

		@Override
		public String toString() {
			return "call " + this.number + " (" + this.messages + " messages, cancels " + this.cancels + ")";
		}

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
