package dev.grpcloop.engine.message;

import java.util.concurrent.TimeUnit;

/**
 * Reads {@code grpc-timeout}: one to eight digits and a unit. Source: gRPC over HTTP/2,
 * Timeout.
 */
public final class TimeoutCodec {

	private static final int MAX_DIGITS = 8;

	/** A hostile value fills an error message and a log line no further than this. */
	private static final int MAX_QUOTED = 32;

	private TimeoutCodec() {
	}

	/**
	 * Parses a timeout. Allocates nothing.
	 * @param value for example {@code 250m}
	 * @return nanoseconds from 0; {@link Long#MAX_VALUE} where they do not fit in a long,
	 * since the longest timeout of the grammar is more than 11 000 years
	 * @throws IllegalArgumentException if the value is not one to eight digits and a unit
	 */
	public static long parseNanos(CharSequence value) {
		int digits = value.length() - 1;
		if (digits < 1 || digits > MAX_DIGITS) {
			throw malformed(value);
		}
		long amount = 0;
		for (int i = 0; i < digits; i++) {
			int digit = value.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				throw malformed(value);
			}
			amount = amount * 10 + digit;
		}
		return switch (value.charAt(digits)) {
			case 'n' -> amount;
			case 'u' -> TimeUnit.MICROSECONDS.toNanos(amount);
			case 'm' -> TimeUnit.MILLISECONDS.toNanos(amount);
			case 'S' -> TimeUnit.SECONDS.toNanos(amount);
			case 'M' -> TimeUnit.MINUTES.toNanos(amount);
			case 'H' -> TimeUnit.HOURS.toNanos(amount);
			default -> throw malformed(value);
		};
	}

	private static IllegalArgumentException malformed(CharSequence value) {
		String quoted = (value.length() <= MAX_QUOTED) ? value.toString()
				: value.subSequence(0, MAX_QUOTED) + "… (" + value.length() + " characters)";
		return new IllegalArgumentException("grpc-timeout is '" + quoted
				+ "'; allowed are 1 to 8 digits and one of the units H, M, S, m, u, n, for example 250m");
	}

}
