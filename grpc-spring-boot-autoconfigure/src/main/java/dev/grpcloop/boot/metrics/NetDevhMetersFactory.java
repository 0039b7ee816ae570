package dev.grpcloop.boot.metrics;

import java.util.function.ToDoubleFunction;

import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import org.jspecify.annotations.Nullable;

/**
 * Writes calls under the {@link MeterNames#NET_DEVH names of net.devh's starter}. Calls
 * to methods that the server does not know are in none of its meters.
 */
public final class NetDevhMetersFactory implements CallRecorder.Factory {

	private final MeterRegistry registry;

	/**
	 * Creates a factory.
	 * @param registry where the meters are
	 */
	public NetDevhMetersFactory(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		return (method != null) ? new StatusTimers((code) -> timer(method, code)) : CallRecorder.NOOP;
	}

	@Override
	public void methodAdded(MethodStatistics statistics) {
		MethodDescriptor<?, ?> method = statistics.method();
		if (method != null) {
			messages("grpc.server.requests.received", "Request messages received", method, statistics,
					MethodStatistics::messagesReceived);
			messages("grpc.server.responses.sent", "Response messages sent", method, statistics,
					MethodStatistics::messagesSent);
			// theirs is there from the start
			timer(method, Status.Code.OK);
		}
	}

	private void messages(String name, String description, MethodDescriptor<?, ?> method, MethodStatistics statistics,
			ToDoubleFunction<MethodStatistics> number) {
		FunctionCounter.builder(name, statistics, number)
			.description(description)
			.baseUnit(BaseUnits.MESSAGES)
			.tags(tags(method))
			.register(this.registry);
	}

	private Timer timer(MethodDescriptor<?, ?> method, Status.Code code) {
		return Timer.builder("grpc.server.processing.duration")
			.description("Calls, from the arrival of their headers to their end")
			.tags(tags(method).and("statusCode", code.name()))
			.register(this.registry);
	}

	private static Tags tags(MethodDescriptor<?, ?> method) {
		return Tags.of("service", orUnknown(method.getServiceName()), "method", orUnknown(method.getBareMethodName()),
				"methodType", method.getType().name());
	}

	private static String orUnknown(@Nullable String name) {
		return (name != null) ? name : "UNKNOWN";
	}

}
