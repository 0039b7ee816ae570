package dev.grpcloop.boot.endpoint;

import java.util.concurrent.TimeUnit;

/**
 * The unit of all times that are shown.
 */
final class Seconds {

	private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

	private Seconds() {
	}

	static double of(long nanos) {
		return nanos / NANOS;
	}

}
