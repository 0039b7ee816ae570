package dev.grpcloop.boot.statistics;

/**
 * Buckets of times, each an eighth of a power of two wide, so that a percentile read from
 * them is at most an eighth too high. From 1 us to over an hour.
 */
public final class LatencyBuckets {

	private static final int SUB_BITS = 3;

	private static final int SUB_BUCKETS = 1 << SUB_BITS;

	/** Times below 2^10 ns share the first bucket. */
	private static final int LOWEST_EXPONENT = 10;

	private static final int HIGHEST_EXPONENT = 41;

	/** How many buckets there are. */
	public static final int COUNT = 1 + (HIGHEST_EXPONENT - LOWEST_EXPONENT + 1) * SUB_BUCKETS;

	private LatencyBuckets() {
	}

	/**
	 * Returns the bucket of a time.
	 * @param nanos the time, in nanoseconds
	 * @return the index of the bucket, from 0; times that are too long are in the last
	 */
	static int index(long nanos) {
		if (nanos < 1L << LOWEST_EXPONENT) {
			return 0;
		}
		int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
		if (exponent > HIGHEST_EXPONENT) {
			return COUNT - 1;
		}
		int sub = (int) (nanos >>> (exponent - SUB_BITS)) & (SUB_BUCKETS - 1);
		return 1 + (exponent - LOWEST_EXPONENT) * SUB_BUCKETS + sub;
	}

	/**
	 * Returns the end of a bucket.
	 * @param index the index of the bucket
	 * @return the first time that is no longer in it, in nanoseconds
	 */
	public static long end(int index) {
		if (index == 0) {
			return 1L << LOWEST_EXPONENT;
		}
		int exponent = LOWEST_EXPONENT + (index - 1) / SUB_BUCKETS;
		long sub = (index - 1) % SUB_BUCKETS;
		return (SUB_BUCKETS + sub + 1) << (exponent - SUB_BITS);
	}

}
