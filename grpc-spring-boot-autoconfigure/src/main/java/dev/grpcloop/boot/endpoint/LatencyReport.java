package dev.grpcloop.boot.endpoint;

import java.util.ArrayList;
import java.util.List;

import dev.grpcloop.boot.statistics.LatencyBuckets;
import dev.grpcloop.boot.statistics.MethodStatistics;
import org.jspecify.annotations.Nullable;

/**
 * How long calls took, since the start of the application. A percentile is the end of the
 * bucket that it falls into: at most an eighth too high.
 *
 * @param total all together, in seconds
 * @param p50 half of them took no longer, in seconds
 * @param p90 nine of ten took no longer, in seconds
 * @param p99 99 of 100 took no longer, in seconds
 * @param buckets the end of a bucket, in seconds, and how many calls are in it; those
 * that are empty are left out
 */
record LatencyReport(double total, double p50, double p90, double p99, List<List<Number>> buckets) {

	static @Nullable LatencyReport of(MethodStatistics method) {
		long[] calls = new long[LatencyBuckets.COUNT];
		long sum = 0;
		List<List<Number>> buckets = new ArrayList<>();
		for (int i = 0; i < calls.length; i++) {
			calls[i] = method.latency(i);
			sum += calls[i];
			if (calls[i] > 0) {
				buckets.add(List.of(end(i), calls[i]));
			}
		}
		return (sum > 0) ? new LatencyReport(Seconds.of(method.totalNanos()), percentile(calls, sum, 0.5),
				percentile(calls, sum, 0.9), percentile(calls, sum, 0.99), buckets) : null;
	}

	private static double percentile(long[] calls, long sum, double share) {
		long rank = (long) Math.ceil(share * sum);
		int bucket = 0;
		for (long below = calls[0]; below < rank; below += calls[bucket]) {
			bucket++;
		}
		return end(bucket);
	}

	private static double end(int bucket) {
		return Seconds.of(LatencyBuckets.end(bucket));
	}

}
