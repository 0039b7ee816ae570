package dev.grpcloop.engine.http2;

/**
 * How many frames of the peer are answers to what happened on the connection: each cause
 * allows for a number of them. It is only asked when such a frame comes; the causes are
 * counted where they happen, by a counter that may overflow.
 * <p>
 * Owned by the event loop.
 */
final class AnswerAllowance {

	private final int perCause;

	private final int most;

	private int causesSeen;

	private long allowance;

	/**
	 * Creates an empty allowance.
	 * @param perCause how many answers a cause allows for
	 * @param most how many can be saved up
	 */
	AnswerAllowance(int perCause, int most) {
		this.perCause = perCause;
		this.most = most;
	}

	/**
	 * Takes one answer from the allowance.
	 * @param causes how many causes there were so far
	 * @return {@code false} if nothing is left
	 */
	boolean takes(int causes) {
		int more = causes - this.causesSeen;
		this.causesSeen = causes;
		this.allowance = Math.min(this.most, this.allowance + (long) more * this.perCause);
		if (this.allowance == 0) {
			return false;
		}
		this.allowance--;
		return true;
	}

	/**
	 * The next cause allows for nothing.
	 */
	void passOver() {
		this.causesSeen++;
	}

}
