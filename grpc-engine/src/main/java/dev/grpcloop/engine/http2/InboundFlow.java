package dev.grpcloop.engine.http2;

/**
 * The credit that the server has given its peer (RFC 9113 section 6.9), for the
 * connection and, in one {@link StreamCredit} each, for the streams.
 * <p>
 * Connection credit is returned on receipt, so that a stream whose service does not read
 * stops only itself, until {@value #UNCONSUMED_LIMIT} bytes of the connection wait for
 * services to take them. From then on it is returned as they are taken. With a window of
 * 100: the peer sends 60, the connection owes 60 and says so, since that is more than
 * half the window; the stream says nothing until its service has taken 50.
 * <p>
 * Owned by the event loop.
 */
final class InboundFlow {

	static final int DEFAULT_WINDOW = 65535;

	static final int UNCONSUMED_LIMIT = 16 * 1024 * 1024;

	private final FrameWriter frames;

	private final int window;

	/** What the peer may still send. */
	private int credit;

	/** What is to be returned, and not yet said. */
	private int pending;

	/** What was received on all streams and not yet taken by a service. */
	private int unconsumed;

	/**
	 * The stream credit that the peer had left on streams that the server has ended: as
	 * much may come for them, and no more.
	 */
	private long leftover;

	/**
	 * The limit was passed, and what services take has to be heard of at once. Their
	 * threads ask.
	 */
	private volatile boolean pressed;

	private boolean collects;

	InboundFlow(FrameWriter frames, int window) {
		this.frames = frames;
		this.window = window;
		this.credit = DEFAULT_WINDOW;
	}

	/**
	 * The server's settings are written: the window may be opened to its size. Before
	 * them nothing must be written (section 3.4).
	 */
	void open() {
		this.pending += this.window - DEFAULT_WINDOW;
	}

	/**
	 * The peer used connection credit.
	 * @param bytes how many, padding included
	 * @return {@code false} if it had not that much
	 */
	boolean receive(int bytes) {
		this.credit -= bytes;
		return this.credit >= 0;
	}

	/**
	 * Bytes that no stream holds: padding, and what came for a stream that is gone.
	 */
	void dropped(int bytes) {
		this.pending += bytes;
	}

	/**
	 * The peer has begun a stream that is not served, and may have sent its window.
	 */
	void notServed() {
		this.leftover += this.window;
	}

	/**
	 * The peer sent bytes on a stream that the server has ended.
	 * @return {@code false} if it had not that much stream credit
	 */
	boolean spendLeftover(int bytes) {
		this.leftover -= bytes;
		return this.leftover >= 0;
	}

	/**
	 * Says what is owed to the connection, if it is worth a frame or the peer has little
	 * left.
	 */
	void update() {
		int worthwhile = Math.min(this.window / 2, DEFAULT_WINDOW / 2);
		if (this.pending > 0 && (this.pending >= worthwhile || this.credit < worthwhile)) {
			this.frames.windowUpdate(0, this.pending);
			this.credit += this.pending;
			this.pending = 0;
		}
	}

	/**
	 * What the peer may send, as soon as all that is owed is said.
	 */
	int creditWithPending() {
		return this.credit + this.pending;
	}

	private void press() {
		if (!this.pressed) {
			this.pressed = true;
			this.collects = true;
		}
	}

	/**
	 * Whether a service that takes something has to say so at once. Any thread.
	 */
	boolean isPressed() {
		return this.pressed;
	}

	/**
	 * Whether it is time to ask all services what they have taken and not yet said.
	 * Answers {@code true} once each time the limit is passed.
	 */
	boolean collects() {
		boolean now = this.collects;
		this.collects = false;
		return now;
	}

	int unconsumed() {
		return this.unconsumed;
	}

	/**
	 * The credit of one stream.
	 */
	final class StreamCredit {

		private final int streamId;

		private int streamCredit = InboundFlow.this.window;

		private int streamPending;

		/** What was received and not yet taken. */
		private int held;

		/** The part of {@link #held} that the connection was not given back. */
		private int owed;

		private boolean released;

		StreamCredit(int streamId) {
			this.streamId = streamId;
		}

		/**
		 * The peer used stream credit; {@link InboundFlow#receive} comes first.
		 * @return {@code false} if it had not that much
		 */
		boolean receive(int bytes, int padding) {
			this.streamCredit -= bytes + padding;
			dropped(padding);
			this.streamPending += padding;
			this.held += bytes;
			InboundFlow.this.unconsumed += bytes;
			if (InboundFlow.this.unconsumed <= UNCONSUMED_LIMIT) {
				dropped(bytes);
			}
			else {
				this.owed += bytes;
				press();
			}
			boolean valid = this.streamCredit >= 0;
			if (padding > 0) {
				// nobody may ever take anything: padding alone must not use up the credit
				update();
			}
			return valid;
		}

		/**
		 * The service has taken bytes.
		 * @param update whether the peer may still send on this stream
		 */
		void consume(int bytes, boolean update) {
			if (this.released) {
				return;
			}
			take(bytes);
			this.streamPending += bytes;
			if (update) {
				update();
			}
		}

		private void update() {
			if (this.streamPending >= InboundFlow.this.window / 2) {
				InboundFlow.this.frames.windowUpdate(this.streamId, this.streamPending);
				this.streamCredit += this.streamPending;
				this.streamPending = 0;
			}
		}

		/**
		 * The stream is gone: what it holds is returned to the connection.
		 * @param endedByPeer whether the peer knows that, and sends nothing more
		 */
		void release(boolean endedByPeer) {
			if (!this.released) {
				this.released = true;
				take(this.held);
				if (!endedByPeer) {
					InboundFlow.this.leftover += this.streamCredit;
				}
			}
		}

		private void take(int bytes) {
			this.held -= bytes;
			InboundFlow.this.unconsumed -= bytes;
			if (InboundFlow.this.pressed && InboundFlow.this.unconsumed <= UNCONSUMED_LIMIT / 2) {
				InboundFlow.this.pressed = false;
			}
			int returned = Math.min(bytes, this.owed);
			this.owed -= returned;
			dropped(returned);
		}

		int held() {
			return this.held;
		}

		int creditWithPending() {
			return this.streamCredit + this.streamPending;
		}

	}

}
