package dev.grpcloop.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

import com.google.protobuf.BytesValue;
import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls without a pause, one after the other on each of several threads: unary ones for
 * the most part. They neither wait for a connection that has failed nor are they tried
 * again but for what the stock client does by itself, and not one may fail.
 */
final class SteadyLoad implements AutoCloseable {

	private static final int STREAMED = 20;

	private static final int KEPT_FAILURES = 20;

	private final List<ManagedChannel> channels = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

	private final AtomicLong failed = new AtomicLong();

	private final AtomicLong calls = new AtomicLong();

	private final AtomicBoolean stopped = new AtomicBoolean();

	/**
	 * Starts calling.
	 * @param channelCount the number of clients, each with connections of its own
	 * @param threadsEach how many threads use each of them
	 * @param channel makes a client
	 */
	SteadyLoad(int channelCount, int threadsEach, IntFunction<ManagedChannel> channel) {
		for (int i = 0; i < channelCount; i++) {
			ManagedChannel client = channel.apply(i);
			this.channels.add(client);
			for (int j = 0; j < threadsEach; j++) {
				Thread thread = new Thread(() -> run(client), "load-" + i + "-" + j);
				this.threads.add(thread);
				thread.start();
			}
		}
	}

	long calls() {
		return this.calls.get();
	}

	/**
	 * Waits until so many more calls have ended.
	 */
	void goesOnFor(long more) {
		long wanted = calls() + more;
		Eventually.until("the load goes on", () -> calls() >= wanted || hasFailed());
		assertNothingFailed();
	}

	/**
	 * A server is back: who waits before connecting to it again need wait no longer.
	 */
	void serverIsBack() {
		this.channels.forEach(ManagedChannel::resetConnectBackoff);
	}

	boolean hasFailed() {
		return this.failed.get() > 0;
	}

	void assertNothingFailed() {
		assertThat(this.failures).as("failures: %d of %d calls", this.failed.get(), calls()).isEmpty();
	}

	private void run(ManagedChannel client) {
		for (int i = 0; !this.stopped.get(); i++) {
			try {
				call(client, i);
			}
			catch (RuntimeException | InterruptedException | AssertionError ex) {
				this.failed.incrementAndGet();
				if (this.failures.size() < KEPT_FAILURES) {
					Status status = Status.fromThrowable(ex);
					this.failures.add("call " + i + " of " + Thread.currentThread().getName() + ": " + ex + " "
							+ status.getCause());
				}
			}
			this.calls.incrementAndGet();
		}
	}

	private static void call(ManagedChannel client, int number) throws InterruptedException {
		switch (number % 16) {
			case 5 -> serverStream(client);
			case 10 -> clientStream(client);
			case 15 -> bidi(client);
			default -> assertThat(EchoGrpc.newBlockingStub(client).unary(Messages.number(number)))
				.isEqualTo(Messages.number(number));
		}
	}

	private static void serverStream(ManagedChannel client) {
		BytesValue request = Messages.ofSize(STREAMED + 2, 1);
		Iterator<BytesValue> answers = EchoGrpc.newBlockingStub(client).serverStream(request);
		for (int i = 0; i < STREAMED; i++) {
			assertThat(answers.next().getValue()).isEqualTo(request.getValue().substring(i, i + 1));
		}
		assertThat(answers.hasNext()).isFalse();
	}

	private static void clientStream(ManagedChannel client) throws InterruptedException {
		RecordingObserver<BytesValue> answers = new RecordingObserver<>();
		StreamObserver<BytesValue> requests = EchoGrpc.newStub(client).clientStream(answers);
		StringBuilder all = new StringBuilder();
		for (int i = 0; i < STREAMED; i++) {
			requests.onNext(Messages.number(i));
			all.append(i);
		}
		requests.onCompleted();
		assertEnded(answers);
		assertThat(answers.all()).containsExactly(Messages.text(all.toString()));
	}

	private static void bidi(ManagedChannel client) throws InterruptedException {
		RecordingObserver<BytesValue> answers = new RecordingObserver<>();
		StreamObserver<BytesValue> requests = EchoGrpc.newStub(client).bidi(answers);
		for (int i = 0; i < STREAMED; i++) {
			requests.onNext(Messages.number(i));
			if (answers.hasEnded()) {
				break;
			}
			assertThat(answers.next()).isEqualTo(Messages.number(i));
		}
		requests.onCompleted();
		assertEnded(answers);
	}

	private static void assertEnded(RecordingObserver<BytesValue> answers) throws InterruptedException {
		if (!answers.status().isOk()) {
			throw answers.end();
		}
	}

	/**
	 * Ends the load in good order.
	 */
	void stop() throws InterruptedException {
		this.stopped.set(true);
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.stopped.set(true);
		this.channels.forEach(ManagedChannel::shutdownNow);
		stop();
	}

}
