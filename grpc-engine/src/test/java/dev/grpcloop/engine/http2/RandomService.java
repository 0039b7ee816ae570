package dev.grpcloop.engine.http2;

import io.grpc.Status;

/**
 * What a service may do with a call, chosen at random: send, ask, close, break the rules,
 * throw.
 */
final class RandomService {

	private final RandomInput random;

	RandomService(RandomInput random) {
		this.random = random;
	}

	/**
	 * Does one thing, or none.
	 * @param mayThrow whether this is a callback, so that the engine sees what is thrown
	 */
	void act(ServedCall call, boolean mayThrow) {
		if (call.isDone()) {
			return;
		}
		boolean maySend = !call.sendsOneMessage() || call.sent.size() == 0;
		switch (this.random.below(12)) {
			case 0 -> request(call);
			case 1 -> {
				if (call.sentHeaders == null) {
					call.sendHeaders(this.random.metadata());
				}
			}
			case 2, 3, 4, 5, 6 -> {
				if (maySend) {
					call.send(this.random.message());
				}
			}
			case 7, 8 -> close(call);
			case 9 -> {
				if (call.method().startsWith("t.Raw/") && this.random.oneIn(6) && maySend) {
					call.sendPoison(this.random.oneIn(2) ? ScriptedService.poison() : ScriptedService.halfPoison());
				}
			}
			case 10 -> {
				if (call.sendsOneMessage() && this.random.oneIn(3)) {
					call.breaksCardinality();
				}
			}
			default -> {
				if (mayThrow && this.random.oneIn(6)) {
					call.fails(call.hasListener ? ServedCall.FAILURE : Status.UNKNOWN);
					throw new IllegalStateException("secret: a service threw");
				}
			}
		}
	}

	void request(ServedCall call) {
		call.request(this.random.oneOf(1, 2, 5, Integer.MAX_VALUE));
	}

	/**
	 * Closes the call by the rules.
	 */
	void close(ServedCall call) {
		Status status = this.random.status();
		if (call.sendsOneMessage() && call.sent.size() == 0 && status.isOk()) {
			if (call.sentHeaders == null && this.random.oneIn(2)) {
				call.sendHeaders(this.random.metadata());
			}
			call.send(this.random.message());
		}
		if (!call.isDone()) {
			call.close(status, this.random.metadata());
		}
	}

}
