package dev.grpcloop.engine.call;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link ExecutorDeliveryTests}, from all its sides: its client and its
 * stream on the loop, its service on any thread.
 */
final class DeliveredCall extends ServerCall.Listener<byte[]> implements CallStream {

	static final Metadata.Key<String> NUMBER = Metadata.Key.of("number", Metadata.ASCII_STRING_MARSHALLER);

	static final AtomicReferenceArray<DeliveredCall> BY_NUMBER = new AtomicReferenceArray<>(
			ExecutorDeliveryTests.AT_ONCE);

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

	final AtomicInteger ends = new AtomicInteger();

	volatile @Nullable ServerCall<byte[], byte[]> call;

	// the loop's

	private InboundCall inbound;

	private int sent;

	private int credit;

	private long held;

	/** How often service code outlived the stream, less how often it ended then. */
	int outliving;

	boolean over;

	DeliveredCall(ExecutorDeliveryTests test, int number, long seed) {
		this.test = test;
		this.number = number;
		this.random = new Random(seed);
		this.messages = this.random.nextInt(5);
		this.asksInCallback = this.random.nextBoolean();
		this.cancels = this.random.nextInt(3) == 0;
		this.inTurns = false;
		this.posts = new PostQueue(test.loop, this::drain);
	}

	DeliveredCall(ExecutorDeliveryTests test, int number, int messages) {
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
			this.inbound
				.data(Unpooled.wrappedBuffer(ByteBuffer.allocate(9).put((byte) 0).putInt(4).putInt(this.sent).array()));
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
	public void hold(long bytes) {
		this.held += bytes;
		if (this.held < 0) {
			this.test.fault(this + " gave back more memory than it held");
		}
	}

	@Override
	public boolean tryHoldOffLoop(long bytes) {
		this.test.fault(this + " has no message that is compressed");
		return false;
	}

	@Override
	public void giveBackOffLoop(long bytes) {
		this.test.fault(this + " has no message that is compressed");
	}

	@Override
	public void exhausted() {
		this.test.fault(this + " has no message that is compressed");
	}

	@Override
	public void outlivedByService() {
		this.outliving++;
	}

	@Override
	public void serviceEnded() {
		this.outliving--;
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
