package dev.grpcloop.boot.metrics;

import java.util.function.ToDoubleFunction;

import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one method, the same for all event loops. Names, tags and their values
 * are those of Micrometer's {@code ObservationGrpcServerInterceptor}, so that dashboards
 * made for it fit.
 */
final class MethodMeters {

	private static final String UNKNOWN = "UNKNOWN";

	private static final String NO_ERROR = "none";

	private final MeterRegistry registry;

	private final Tags tags;

	MethodMeters(MeterRegistry registry, @Nullable MethodDescriptor<?, ?> method) {
		this.registry = registry;
		this.tags = (method != null) ? tags(method.getServiceName(), method.getBareMethodName(), method.getType())
				: tags(null, null, MethodDescriptor.MethodType.UNKNOWN);
	}

	private static Tags tags(@Nullable String service, @Nullable String method, MethodDescriptor.MethodType type) {
		return Tags.of("rpc.service", (service != null) ? service : UNKNOWN, "rpc.method",
				(method != null) ? method : UNKNOWN, "rpc.type", type.name());
	}

	/**
	 * Registers the counters of messages.
	 * @param statistics the numbers of the method
	 */
	void bind(MethodStatistics statistics) {
		messages("grpc.server.received", "Request messages received", statistics, MethodStatistics::messagesReceived);
		messages("grpc.server.sent", "Response messages sent", statistics, MethodStatistics::messagesSent);
	}

	private void messages(String name, String description, MethodStatistics statistics,
			ToDoubleFunction<MethodStatistics> number) {
		// a message passes before its call has a status: the interceptor says UNKNOWN
		FunctionCounter.builder(name, statistics, number)
			.description(description)
			.tags(this.tags.and("grpc.status_code", UNKNOWN))
			.register(this.registry);
	}

	/**
	 * Returns the timer of the calls that end in one way. Slow: keep what it returns.
	 * @param code the status code
	 * @param error the class of what the service threw, if it did
	 * @return the timer
	 */
	Timer timer(Status.Code code, @Nullable Class<?> error) {
		return Timer.builder("grpc.server")
			.description("Calls, from the arrival of their headers to their end")
			.tags(this.tags.and("grpc.status_code", code.name(), "error",
					(error != null) ? error.getSimpleName() : NO_ERROR))
			.register(this.registry);
	}

}
