package dev.grpcloop.engine.call;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import dev.grpcloop.engine.message.BufferMessageStream;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks on the event loop, as the bytes are read.
 */
final class LoopDelivery<Q> extends CallDelivery<Q> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<LoopDelivery> FOREIGN_DEMAND = AtomicIntegerFieldUpdater
		.newUpdater(LoopDelivery.class, "foreignDemand");

	/** What other threads have requested. */
	private volatile int foreignDemand;

	private int demand;

	private @Nullable Queue<InboundMessage> waiting;

	/** A callback runs: what it causes is delivered when it has returned. */
	private boolean delivering;

	/** The method in whose callback this delivery runs, if it does. */
	private @Nullable MethodRoute<?, ?> outer;

	private boolean started;

	private boolean ready;

	private boolean halfClosed;

	private boolean completed;

	private @Nullable Status cancelled;

	private boolean ended;

	LoopDelivery(EngineServerCall<Q, ?> call, Context.CancellableContext context) {
		super(call, context);
	}

	@Override
	void start(Metadata headers) {
		this.started = true;
		Context previous = enter();
		try {
			invokeStart(headers);
			if (call().stream().isWritable()) {
				this.ready = true;
			}
			deliverAll();
		}
		finally {
			exit(previous);
		}
	}

	@Override
	boolean isServed() {
		return this.started;
	}

	@Override
	void message(boolean compressed, ByteBuf data, int index, int length, int credit) {
		if (this.demand > 0 && !this.delivering && !this.ended && !isWaiting() && call().route().protobufRequest()) {
			this.demand--;
			call().stream().returnCredit(credit);
			Context previous = enter();
			try {
				invokeMessage(compressed, new BufferMessageStream(data, index, length));
				deliverAll();
			}
			finally {
				exit(previous);
			}
		}
		else {
			message(new InboundMessage(compressed, ByteBufUtil.getBytes(data, index, length, true), credit));
		}
	}

	@Override
	void message(InboundMessage message) {
		if (this.ended) {
			return;
		}
		if (this.waiting == null) {
			this.waiting = new ArrayDeque<>(4);
		}
		this.waiting.add(message);
		call().stream().hold(message.held());
		deliver();
	}

	@Override
	void halfClose() {
		this.halfClosed = true;
		deliver();
	}

	@Override
	void ready() {
		this.ready = true;
		deliver();
	}

	@Override
	void complete() {
		this.completed = true;
		deliver();
	}

	@Override
	void cancel(Status status) {
		this.cancelled = status;
		deliver();
	}

	@Override
	boolean wantsMessage() {
		return this.demand > 0 && !isWaiting();
	}

	@Override
	void request(int numMessages) {
		if (call().stream().inEventLoop()) {
			demand(numMessages);
		}
		else {
			FOREIGN_DEMAND.accumulateAndGet(this, numMessages, LoopDelivery::saturatedSum);
			call().postDelivery();
		}
	}

	@Override
	void posted() {
		if (this.foreignDemand > 0) {
			demand(FOREIGN_DEMAND.getAndSet(this, 0));
		}
	}

	private void demand(int numMessages) {
		boolean first = (this.demand == 0);
		this.demand = saturatedSum(this.demand, numMessages);
		if (first) {
			if (wantsMessage()) {
				inbound().returnPartialCredit();
			}
			deliver();
		}
	}

	private boolean isWaiting() {
		return this.waiting != null && !this.waiting.isEmpty();
	}

	private Context enter() {
		this.delivering = true;
		this.outer = call().loop().enter(call().route());
		return context().attach();
	}

	private void exit(Context previous) {
		context().detach(previous);
		call().loop().exit(this.outer);
		this.outer = null;
		this.delivering = false;
	}

	private void deliver() {
		if (this.delivering || this.ended) {
			return;
		}
		Context previous = enter();
		try {
			deliverAll();
		}
		finally {
			exit(previous);
		}
	}

	private void deliverAll() {
		while (!this.ended && deliverNext()) {
			// each callback may cause the next
		}
	}

	private boolean deliverNext() {
		if (this.cancelled != null) {
			this.ended = true;
			this.waiting = null;
			invokeCancel(this.cancelled);
			return false;
		}
		if (this.completed) {
			this.ended = true;
			this.waiting = null;
			invokeComplete();
			return false;
		}
		if (this.ready) {
			this.ready = false;
			invokeReady();
			return true;
		}
		if (this.demand > 0 && isWaiting()) {
			this.demand--;
			InboundMessage message = this.waiting.remove();
			call().stream().hold(-message.held());
			call().stream().returnCredit(message.credit());
			if (wantsMessage()) {
				inbound().returnPartialCredit();
			}
			invokeMessage(message);
			return true;
		}
		if (this.halfClosed && !isWaiting()) {
			this.halfClosed = false;
			invokeHalfClose();
			return true;
		}
		return false;
	}

	static int saturatedSum(int a, int b) {
		int sum = a + b;
		return (sum < 0) ? Integer.MAX_VALUE : sum;
	}

}
