package dev.grpcloop.boot.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.grpc.Status;
import io.micrometer.core.instrument.DistributionSummary;

/**
 * What the messages of a call weigh, for one method and each status. Used on any thread.
 */
final class A66Sizes {

	private final BiFunction<String, Status.Code, DistributionSummary> registration;

	private final Map<Status.Code, Sizes> sizes = new ConcurrentHashMap<>();

	/**
	 * Sizes of one method.
	 * @param registration registers the meter of a name and a status
	 */
	A66Sizes(BiFunction<String, Status.Code, DistributionSummary> registration) {
		this.registration = registration;
	}

	void record(Status.Code code, long received, long sent) {
		Sizes meters = this.sizes.computeIfAbsent(code, this::register);
		meters.received().record(received);
		meters.sent().record(sent);
	}

	private Sizes register(Status.Code code) {
		return new Sizes(this.registration.apply("grpc.server.call.rcvd_total_compressed_message_size", code),
				this.registration.apply("grpc.server.call.sent_total_compressed_message_size", code));
	}

	private record Sizes(DistributionSummary received, DistributionSummary sent) {
	}

}
