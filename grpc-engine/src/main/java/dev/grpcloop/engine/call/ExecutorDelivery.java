package dev.grpcloop.engine.call;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import dev.grpcloop.engine.message.LimitedInputStream;
import dev.grpcloop.engine.telemetry.ExecutorTelemetry;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks on an executor, one at a time. All that one read of the connection
 * brings for a call is one task: a unary call that arrives in one read costs one hand-off
 * to the executor and one back.
 * <p>
 * {@link #signals} counts what the loop has told and the executor not yet seen. Whoever
 * takes it from 0 submits the task; the task runs until it is 0 again.
 */
final class ExecutorDelivery<Q> extends CallDelivery<Q> implements Runnable, CallStream.BatchTask {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<ExecutorDelivery> SIGNALS = AtomicIntegerFieldUpdater
		.newUpdater(ExecutorDelivery.class, "signals");

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<ExecutorDelivery> DEMAND = AtomicIntegerFieldUpdater
		.newUpdater(ExecutorDelivery.class, "demand");

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<ExecutorDelivery> START = AtomicIntegerFieldUpdater
		.newUpdater(ExecutorDelivery.class, "start");

	private static final int NOT_STARTED = 0;

	private static final int STARTED = 1;

	private static final int NEVER_STARTS = 2;

	private final Handover handover;

	private final InboundAccount account;

	private final MessageQueue waiting = new MessageQueue();

	private volatile int signals;

	private volatile int demand;

	/** Whether service code sees the call: the task says so, or whoever ends it first. */
	private volatile int start;

	private volatile boolean ready;

	private volatile boolean halfClosed;

	private volatile boolean completed;

	private volatile @Nullable Status cancelled;

	/**
	 * The call was cancelled, and no callback of it runs or will run. Not set where a
	 * call ends well: that costs it nothing.
	 */
	private volatile boolean over;

	/** Part of a message waits, without credit, for the service to want it. */
	private volatile boolean partWaits;

	// the event loop

	private boolean submitsAtEndOfBatch;

	/** The connection was told that service code outlives the stream. */
	private boolean outlives;

	// the task

	private @Nullable Metadata headers;

	private @Nullable Thread runner;

	private boolean halfCloseDelivered;

	private boolean ended;

	/**
	 * The service has closed the call in a callback, and all that is left to do is to
	 * write it: the task completes the call itself, which saves a hand-off. The contract
	 * of {@code onComplete} allows it, as the client is not promised to have received
	 * anything.
	 */
	private boolean completesItself;

	ExecutorDelivery(EngineServerCall<Q, ?> call, Context.CancellableContext context, Executor executor,
			ExecutorTelemetry telemetry) {
		super(call, context);
		this.handover = new Handover(executor, telemetry);
		this.account = new InboundAccount(call.stream());
	}

	@Override
	void start(Metadata headers) {
		this.headers = headers;
		this.ready = call().stream().isWritable();
		signalAtEndOfBatch();
	}

	@Override
	boolean isServed() {
		return this.start == STARTED
				|| (!START.compareAndSet(this, NOT_STARTED, NEVER_STARTS) && this.start == STARTED);
	}

	@Override
	void message(boolean compressed, ByteBuf data, int index, int length, int credit) {
		message(new InboundMessage(compressed, ByteBufUtil.getBytes(data, index, length, true), credit));
	}

	@Override
	void message(InboundMessage message) {
		call().stream().hold(message.held());
		this.waiting.add(message);
		signalAtEndOfBatch();
	}

	@Override
	void halfClose() {
		this.halfClosed = true;
		signalAtEndOfBatch();
	}

	@Override
	void ready() {
		this.ready = true;
		signalAtEndOfBatch();
	}

	@Override
	void complete() {
		if (!this.completesItself) {
			this.completed = true;
			signalAtEndOfBatch();
		}
		this.waiting.drop();
	}

	@Override
	void cancel(Status status) {
		if (!this.over) {
			this.outlives = true;
			call().stream().outlivedByService();
		}
		this.cancelled = status;
		this.waiting.drop();
		if (SIGNALS.getAndIncrement(this) == 0) {
			submit();
			return;
		}
		// the task runs, or waits for a thread: the service must hear of it now, and
		// neither
		// behind its own callbacks nor behind other calls, all of which may wait for such
		// news
		Throwable cause = cancellationCause(status);
		ForkJoinPool.commonPool().execute(() -> context().cancel(cause));
	}

	private void signalAtEndOfBatch() {
		if (!this.submitsAtEndOfBatch) {
			this.submitsAtEndOfBatch = true;
			call().stream().atEndOfBatch(this);
		}
	}

	@Override
	public void batchEnded() {
		this.submitsAtEndOfBatch = false;
		signal();
	}

	private void signal() {
		if (SIGNALS.getAndIncrement(this) == 0) {
			submit();
		}
	}

	private void submit() {
		if (!this.handover.submit(this)) {
			rejected();
		}
	}

	/**
	 * The executor refused the task (case B28). No thread runs it, so its state may be
	 * looked at here.
	 */
	private void rejected() {
		Status status = Status.RESOURCE_EXHAUSTED
			.withDescription("The server has no thread for the call: its executor is full or shut down");
		if (!isServed()) {
			// signals stays above 0: the task is never submitted again
			this.ended = true;
			this.waiting.clear();
			over();
			call().terminateFromAnyThread(status);
			return;
		}
		if (this.ended) {
			// the service was told of the end, and its response is on its way
			over();
			return;
		}
		// what the service has written goes first: it may be the whole response
		call().takeOutbox();
		if (!this.completed && this.cancelled == null) {
			this.cancelled = status;
			call().terminateFromAnyThread(status);
		}
		// the service was started, so it has to be told of the end
		ForkJoinPool.commonPool().execute(this);
	}

	@Override
	boolean wantsMessage() {
		if (this.demand > 0 && this.waiting.isEmpty()) {
			this.partWaits = false;
			return true;
		}
		this.partWaits = true;
		// the service may have asked in between, before it could see the flag
		return this.demand > 0 && this.waiting.isEmpty();
	}

	@Override
	void request(int numMessages) {
		int before = DEMAND.getAndAccumulate(this, numMessages, LoopDelivery::saturatedSum);
		if (before == 0) {
			if (!this.waiting.isEmpty()) {
				signal();
			}
			if (this.partWaits) {
				call().postDelivery();
			}
		}
	}

	/**
	 * The loop is told after the flag is set: it either finds the flag when the stream
	 * ends, or counts the call and is told.
	 */
	private void over() {
		this.over = true;
		call().postDelivery();
	}

	@Override
	void posted() {
		if (this.over && this.outlives) {
			this.outlives = false;
			call().stream().serviceEnded();
		}
		this.account.settle();
		if (this.partWaits && wantsMessage()) {
			inbound().returnPartialCredit();
		}
	}

	@Override
	void closedInCallback() {
		if (Thread.currentThread() == this.runner) {
			this.completesItself = true;
		}
	}

	// the task

	@Override
	public void run() {
		this.handover.begun();
		int seen = this.signals;
		do {
			this.runner = Thread.currentThread();
			Context previous = context().attach();
			try {
				deliverAll();
			}
			finally {
				context().detach(previous);
				this.runner = null;
				if (this.ended) {
					this.account.giveBackUnpacked();
				}
				if (this.ended && this.cancelled != null) {
					over();
				}
			}
			seen = SIGNALS.addAndGet(this, -seen);
		}
		while (seen != 0);
	}

	private void deliverAll() {
		if (this.start == NOT_STARTED && START.compareAndSet(this, NOT_STARTED, STARTED)) {
			Metadata headers = this.headers;
			this.headers = null;
			invokeStart(headers);
		}
		while (!this.ended && deliverNext()) {
			// each callback may cause the next
		}
	}

	private boolean deliverNext() {
		Status cancelled = this.cancelled;
		if (cancelled != null) {
			end();
			invokeCancel(cancelled);
			return false;
		}
		if (this.completed || this.completesItself) {
			end();
			invokeComplete();
			return false;
		}
		if (this.ready) {
			this.ready = false;
			invokeReady();
			return true;
		}
		if (this.demand > 0) {
			InboundMessage message = this.waiting.poll();
			if (message != null) {
				DEMAND.decrementAndGet(this);
				taken(message);
				invokeMessage(message);
				returned(message);
				return true;
			}
			if (isOver()) {
				// the loop has dropped what was there a moment ago
				return true;
			}
		}
		if (!this.halfCloseDelivered && this.halfClosed && this.waiting.isEmpty()) {
			this.halfCloseDelivered = true;
			invokeHalfClose();
			return true;
		}
		return false;
	}

	private boolean isOver() {
		return this.cancelled != null || this.completed || this.completesItself;
	}

	private void taken(InboundMessage message) {
		boolean piece = this.account.taken(message);
		// after the half-close too: the stream needs no credit any more, but what waits
		// counts against the others of the connection
		if (piece || (this.partWaits && !this.halfClosed) || call().stream().wantsCreditAtOnce()) {
			post();
		}
	}

	/**
	 * The callback that got a message has returned, and a service that gets one after the
	 * other is done with it. One that gets a single message keeps it until the half-close
	 * at least: what that held on the wire is given back with the stream, and what it
	 * became when the last callback has run.
	 */
	private void returned(InboundMessage message) {
		boolean keeps = call().getMethodDescriptor().getType().clientSendsOneMessage();
		if ((!keeps || hasFailed()) && this.account.done(message)) {
			post();
		}
	}

	private void post() {
		this.account.posted();
		call().postDelivery();
	}

	@Override
	LimitedInputStream.@Nullable Growth growth() {
		return this.account;
	}

	private void end() {
		this.ended = true;
		this.waiting.clear();
	}

}
