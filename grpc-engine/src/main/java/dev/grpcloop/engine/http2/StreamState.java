package dev.grpcloop.engine.http2;

/**
 * The state of a stream that the peer has opened (RFC 9113 section 5.1). A server that
 * does not push knows these four:
 *
 * <pre>
 *                     headers read
 *                          |
 *        local end         v        remote end
 *      +-----------------OPEN-----------------+
 *      v                   |                  v
 * HALF_CLOSED_LOCAL        |        HALF_CLOSED_REMOTE
 *      |                   | reset            |
 *      | remote end, reset v  local end, reset|
 *      +---------------> CLOSED <-------------+
 * </pre>
 */
enum StreamState {

	/** Both sides may send. */
	OPEN,

	/** The response has ended, the request has not. */
	HALF_CLOSED_LOCAL,

	/** The request has ended, the response has not. */
	HALF_CLOSED_REMOTE,

	/** Nobody sends any more. */
	CLOSED;

	/** What changes the state of a stream. */
	enum Event {

		/** END_STREAM was sent. */
		LOCAL_END,

		/** END_STREAM was received. */
		REMOTE_END,

		/** RST_STREAM was sent or received, or the connection is gone. */
		RESET

	}

	/**
	 * Returns the state after an event.
	 * @param event what happened
	 * @return the next state
	 * @throws IllegalStateException if it cannot happen in this state
	 */
	StreamState on(Event event) {
		return switch (event) {
			case RESET -> CLOSED;
			case LOCAL_END -> switch (this) {
				case OPEN -> HALF_CLOSED_LOCAL;
				case HALF_CLOSED_REMOTE -> CLOSED;
				default -> throw new IllegalStateException(event + " in state " + this);
			};
			case REMOTE_END -> switch (this) {
				case OPEN -> HALF_CLOSED_REMOTE;
				case HALF_CLOSED_LOCAL -> CLOSED;
				default -> throw new IllegalStateException(event + " in state " + this);
			};
		};
	}

	/**
	 * Whether the peer may still send.
	 * @return whether it may
	 */
	boolean remoteOpen() {
		return this == OPEN || this == HALF_CLOSED_LOCAL;
	}

	/**
	 * Whether the server may still send.
	 * @return whether it may
	 */
	boolean localOpen() {
		return this == OPEN || this == HALF_CLOSED_REMOTE;
	}

}
