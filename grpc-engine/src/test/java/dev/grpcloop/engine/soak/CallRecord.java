package dev.grpcloop.engine.soak;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * What became of one call, as its client and its service saw it. Any thread.
 */
final class CallRecord {

	private final Script script;

	/** What is done to the connections that the call may be on. */
	private final Fate fate;

	final AtomicInteger starts = new AtomicInteger();

	final AtomicInteger ends = new AtomicInteger();

	final AtomicInteger clientEnds = new AtomicInteger();

	final AtomicInteger responses = new AtomicInteger();

	private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

	private volatile @Nullable Status status;

	private volatile @Nullable Metadata trailers;

	CallRecord(Script script, Fate fate) {
		this.script = script;
		this.fate = fate;
	}

	Script script() {
		return this.script;
	}

	void fault(String fault) {
		this.faults.add(fault);
	}

	void clientEnded(Status status, Metadata trailers) {
		this.status = status;
		this.trailers = trailers;
		this.clientEnds.incrementAndGet();
	}

	boolean hasEnded() {
		return this.clientEnds.get() > 0 && this.ends.get() >= this.starts.get();
	}

	/**
	 * Says what is wrong with the call.
	 * @return {@code null} if nothing is
	 */
	@Nullable String judge() {
		if (this.clientEnds.get() != 1) {
			fault("ended " + this.clientEnds + " times at the client");
		}
		if (this.starts.get() > 1) {
			fault("started " + this.starts + " times at the server");
		}
		if (this.ends.get() != this.starts.get()) {
			fault("started " + this.starts + " times at the server and ended " + this.ends + " times");
		}
		if (!endedAsScripted() && !mayEndSo()) {
			fault("must not end so");
		}
		return this.faults.isEmpty() ? null : this.faults + " " + this;
	}

	private boolean endedAsScripted() {
		Status end = this.status;
		if (end == null || end.getCode() != this.script.code() || this.starts.get() == 0) {
			return false;
		}
		if (this.script.ending() == Script.Ending.THROWN) {
			return true;
		}
		Metadata received = this.trailers;
		return this.responses.get() == this.script.expectedResponses() && received != null
				&& Content.isComplete(this.script, received)
				&& (end.isOk() || this.script.description().equals(end.getDescription()));
	}

	private boolean mayEndSo() {
		Status end = this.status;
		if (end == null) {
			return false;
		}
		if (this.script.interruption() != Script.Interruption.NONE
				&& end.getCode() == this.script.interruption().code()) {
			return true;
		}
		return switch (this.fate) {
			case CALM -> false;
			// it could not connect; a call that has come to a server is served
			case RESTARTED ->
				end.getCode() == Status.Code.UNAVAILABLE && this.starts.get() == 0 && !this.script.waitForReady();
			// the stock client has other words where its channel breaks or is shut down
			// early
			case BROKEN -> end.getCode() == Status.Code.UNAVAILABLE
					|| (end.getCode() == Status.Code.UNKNOWN && end.getCause() instanceof IOException)
					|| (end.getCode() == Status.Code.CANCELLED && this.starts.get() == 0);
		};
	}

	@Override
	public String toString() {
		return this.fate + ", " + this.script + " ended with " + this.status + " after " + this.responses
				+ " responses; starts " + this.starts + ", ends " + this.ends;
	}

	/**
	 * What may happen to a connection.
	 */
	enum Fate {

		/** Nothing that a call may notice. It may grow old, and be replaced. */
		CALM,

		/** The server is shut down in good order, and another takes its place. */
		RESTARTED,

		/** It breaks. */
		BROKEN

	}

}
