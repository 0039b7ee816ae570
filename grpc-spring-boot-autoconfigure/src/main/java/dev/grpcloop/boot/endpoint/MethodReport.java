package dev.grpcloop.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * One method, or all that the server does not know. Without numbers where nothing is
 * counted.
 *
 * @param name its name without that of its service
 * @param type its kind
 * @param runsOn {@code event-loop} or {@code executor}
 * @param started how many calls have begun
 * @param closed how many of them have ended
 * @param active how many run
 * @param rate how many end in a second
 * @param statuses how many have ended with each status; those that are 0 are left out
 * @param messagesReceived how many request messages were received
 * @param messagesSent how many response messages were sent
 * @param bytesReceived the size of all request messages
 * @param bytesSent the size of all response messages
 * @param latency how long calls took, or {@code null} if none has ended
 */
record MethodReport(@Nullable String name, @Nullable String type, @Nullable String runsOn, @Nullable Long started,
		@Nullable Long closed, @Nullable Long active, @Nullable Double rate, @Nullable Map<String, Long> statuses,
		@Nullable Long messagesReceived, @Nullable Long messagesSent, @Nullable Long bytesReceived,
		@Nullable Long bytesSent, @Nullable LatencyReport latency) {

	/**
	 * A method of which nothing is counted.
	 * @param method the method
	 * @param runsOn where it runs
	 * @return what is known
	 */
	static MethodReport uncounted(MethodDescriptor<?, ?> method, @Nullable String runsOn) {
		return new MethodReport(method.getBareMethodName(), method.getType().name(), runsOn, null, null, null, null,
				null, null, null, null, null, null);
	}

	/**
	 * A method that nobody has called yet.
	 * @param method the method
	 * @param runsOn where it runs
	 * @return its numbers, all 0
	 */
	static MethodReport uncalled(MethodDescriptor<?, ?> method, @Nullable String runsOn) {
		return new MethodReport(method.getBareMethodName(), method.getType().name(), runsOn, 0L, 0L, 0L, 0.0, Map.of(),
				0L, 0L, 0L, 0L, null);
	}

	/**
	 * A method with its numbers.
	 * @param method the numbers
	 * @param runsOn where it runs
	 * @param recent what has happened lately
	 * @return all that is known
	 */
	static MethodReport of(MethodStatistics method, @Nullable String runsOn, Difference recent) {
		MethodDescriptor<?, ?> descriptor = method.method();
		// in this order: what ends in between has begun before the second reading
		long closed = method.closed();
		long started = method.started();
		return new MethodReport((descriptor != null) ? descriptor.getBareMethodName() : null,
				(descriptor != null) ? descriptor.getType().name() : null, runsOn, started, closed, started - closed,
				recent.rate(method), statuses(method), method.messagesReceived(), method.messagesSent(),
				method.bytesReceived(), method.bytesSent(), LatencyReport.of(method));
	}

	private static Map<String, Long> statuses(MethodStatistics method) {
		Map<String, Long> statuses = new LinkedHashMap<>();
		for (Status.Code code : Status.Code.values()) {
			long calls = method.closed(code);
			if (calls > 0) {
				statuses.put(code.name(), calls);
			}
		}
		return statuses;
	}

}
