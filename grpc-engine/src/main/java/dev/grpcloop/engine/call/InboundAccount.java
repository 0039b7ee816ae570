package dev.grpcloop.engine.call;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

import dev.grpcloop.engine.message.LimitedInputStream;

/**
 * What a service that runs off the loop has had of the messages of a call, and what of
 * that the stream was given back: the credit of a message when the service takes it, the
 * memory when it is done with it. The task adds up, and asks the loop in pieces of
 * {@value #PIECE} bytes to look at the sums.
 */
final class InboundAccount implements LimitedInputStream.Growth {

	/** A quarter of the smallest window. */
	private static final int PIECE = 16 * 1024;

	private static final AtomicLongFieldUpdater<InboundAccount> DONE = AtomicLongFieldUpdater
		.newUpdater(InboundAccount.class, "done");

	private final CallStream stream;

	/** Credit of all messages that were taken. The task's; the loop reads it. */
	private volatile long taken;

	/** Memory of all messages that the service is done with. Likewise. */
	private volatile long done;

	// the event loop

	private long creditReturned;

	private long memoryReturned;

	// the task

	/** What the loop was last asked to look at of {@link #taken}. */
	private long takenPosted;

	/** What the loop was last asked to look at of {@link #done}. */
	private long donePosted;

	/** What the messages hold that were decompressed and that the service has. */
	private long unpacked;

	InboundAccount(CallStream stream) {
		this.stream = stream;
	}

	/**
	 * The service takes a message.
	 * @return whether that makes a piece
	 */
	boolean taken(InboundMessage message) {
		long sum = this.taken + message.credit();
		this.taken = sum;
		return sum - this.takenPosted >= PIECE;
	}

	/**
	 * The service is done with a message, and with all that it took before.
	 * @return whether that makes a piece
	 */
	boolean done(InboundMessage message) {
		giveBackUnpacked();
		long sum = this.done + message.held();
		DONE.lazySet(this, sum);
		return sum - this.donePosted >= PIECE;
	}

	/**
	 * The loop is about to be asked to {@link #settle}.
	 */
	void posted() {
		this.takenPosted = this.taken;
		this.donePosted = this.done;
	}

	/**
	 * Gives the stream back what the service has had. On the loop.
	 */
	void settle() {
		long credit = this.taken;
		if (credit > this.creditReturned) {
			this.stream.returnCredit((int) (credit - this.creditReturned));
			this.creditReturned = credit;
		}
		long memory = this.done;
		if (memory > this.memoryReturned) {
			this.stream.hold(this.memoryReturned - memory);
			this.memoryReturned = memory;
		}
	}

	/**
	 * {@inheritDoc} A message is there twice while it is parsed: as bytes and as what is
	 * made of them.
	 */
	@Override
	public void grow(long bytes) {
		if (!this.stream.tryHoldOffLoop(2 * bytes)) {
			throw new NoRoomException();
		}
		this.unpacked += 2 * bytes;
	}

	/**
	 * The service is done with what was decompressed for it.
	 */
	void giveBackUnpacked() {
		long bytes = this.unpacked;
		if (bytes > 0) {
			this.unpacked = 0;
			this.stream.giveBackOffLoop(bytes);
		}
	}

}
