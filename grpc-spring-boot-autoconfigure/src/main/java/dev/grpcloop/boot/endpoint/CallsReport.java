package dev.grpcloop.boot.endpoint;

import java.util.Collection;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.statistics.MethodStatistics;

/**
 * All calls together.
 *
 * @param started how many have begun
 * @param closed how many of them have ended
 * @param active how many run
 * @param rate how many end in a second
 */
record CallsReport(long started, long closed, long active, double rate) {

	static CallsReport of(Collection<MethodStatistics> methods, Difference recent) {
		// in this order: what ends in between has begun before the second reading
		long closed = methods.stream().mapToLong(MethodStatistics::closed).sum();
		long started = methods.stream().mapToLong(MethodStatistics::started).sum();
		return new CallsReport(started, closed, started - closed, recent.rate());
	}

}
