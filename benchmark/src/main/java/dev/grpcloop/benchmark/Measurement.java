package dev.grpcloop.benchmark;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one run of the generator says about one server, or the medians of several.
 *
 * @param callsPerSecond the throughput
 * @param cpuMicrosPerCall the server's processor time over the calls it answered
 * @param failed the calls that failed, or were answered without a message
 */
record Measurement(double callsPerSecond, double cpuMicrosPerCall, long failed) {

	static Measurement of(H2loadReport report, double cpuMicros, int messageBytes) {
		return new Measurement(report.callsPerSecond(), cpuMicros / report.answered(),
				report.failed() + report.withoutMessage(messageBytes));
	}

	/**
	 * Returns the medians, and the sum of the failed calls.
	 */
	static Measurement median(List<Measurement> measurements) {
		return new Measurement(median(measurements, Measurement::callsPerSecond),
				median(measurements, Measurement::cpuMicrosPerCall),
				measurements.stream().mapToLong(Measurement::failed).sum());
	}

	private static double median(List<Measurement> measurements, ToDoubleFunction<Measurement> figure) {
		double[] sorted = measurements.stream().mapToDouble(figure).sorted().toArray();
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
