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

	static final String TIMER = "grpc.server";

	private static final String UNKNOWN = "UNKNOWN";

	private static final String NO_ERROR = "none";

	private final MeterRegistry registry;

	private final CallMeterSettings settings;

	private final Tags tags;

	MethodMeters(MeterRegistry registry, CallMeterSettings settings, @Nullable MethodDescriptor<?, ?> method) {
		this.registry = registry;
		this.settings = settings;
		this.tags = (method != null) ? tags(method.getServiceName(), method.getBareMethodName(), method.getType())
				: tags(null, null, MethodDescriptor.MethodType.UNKNOWN);
	}

	private static Tags tags(@Nullable String service, @Nullable String method, MethodDescriptor.MethodType type) {
		return Tags.of("rpc.service", (service != null) ? service : UNKNOWN, "rpc.method",
				(method != null) ? method : UNKNOWN, "rpc.type", type.name());
	}

	/**
	 * Registers the meters that read the numbers of the method.
	 * @param statistics the numbers of the method
	 */
	void bind(MethodStatistics statistics) {
		counter("grpc.server.received", "Request messages received", statistics, MethodStatistics::messagesReceived);
		counter("grpc.server.sent", "Response messages sent", statistics, MethodStatistics::messagesSent);
		counter("grpc.server.cancelled", "Calls whose service was told that they are cancelled", statistics,
				MethodStatistics::cancelled);
		if (this.settings.running()) {
			new RunningCallMeter(statistics).register(this.registry, beforeTheEnd());
		}
	}

	private void counter(String name, String description, MethodStatistics statistics,
			ToDoubleFunction<MethodStatistics> number) {
		FunctionCounter.builder(name, statistics, number)
			.description(description)
			.tags(beforeTheEnd())
			.register(this.registry);
	}

	/**
	 * While a call runs it has no status, for which the interceptor says UNKNOWN, and no
	 * filter has seen it.
	 */
	private Tags beforeTheEnd() {
		return this.tags.and("grpc.status_code", UNKNOWN);
	}

	/**
	 * Returns the timer of the calls that end in one way. Slow: keep what it returns.
	 * @param code the status code
	 * @param error the class of what the service threw, if it did
	 * @return the timer
	 */
	Timer timer(Status.Code code, @Nullable Class<?> error) {
		return Timer.builder(TIMER)
			.description("Calls, from the arrival of their headers to their end")
			.tags(this.tags.and("grpc.status_code", code.name())
				// as of an observation: the error is not for its filters to change
				.and(this.settings.tags())
				.and("error", (error != null) ? error.getSimpleName() : NO_ERROR))
			.register(this.registry);
	}

}
