package dev.grpcloop.engine.differential;

/**
 * What a client does, one after the other.
 */
sealed interface Step {

	record Send(Msg message) implements Step {

	}

	record MessageCompression(boolean enabled) implements Step {

	}

	record HalfClose() implements Step {

	}

	/**
	 * Waits for this many messages, or the end.
	 */
	record AwaitMessages(int count) implements Step {

	}

	/**
	 * Waits for the headers, or the end.
	 */
	record AwaitHeaders() implements Step {

	}

	/**
	 * Waits until the server has begun the call.
	 */
	record AwaitStart() implements Step {

	}

	/**
	 * Waits until the server's listener has heard that the call is ready, or the end.
	 */
	record AwaitReady() implements Step {

	}

	/**
	 * Waits until the server's listener has had this many messages, or the end.
	 */
	record AwaitDelivered(int count) implements Step {

	}

	record Cancel() implements Step {

	}

}
