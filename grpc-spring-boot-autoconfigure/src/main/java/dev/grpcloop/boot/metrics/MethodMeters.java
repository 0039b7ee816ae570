package dev.grpcloop.boot.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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

	static final int RECEIVED = 0;

	static final int SENT = 1;

	private static final int SIZE = 2;

	private static final String UNKNOWN = "UNKNOWN";

	private static final String NO_ERROR = "none";

	private final MeterRegistry registry;

	private final Tags tags;

	private final List<Counters> loops = new CopyOnWriteArrayList<>();

	/**
	 * Registers the meters of a method.
	 * @param registry where
	 * @param method the method, or {@code null} for all that the server does not know
	 */
	MethodMeters(MeterRegistry registry, @Nullable MethodDescriptor<?, ?> method) {
		this.registry = registry;
		this.tags = (method != null) ? tags(method.getServiceName(), method.getBareMethodName(), method.getType())
				: tags(null, null, MethodDescriptor.MethodType.UNKNOWN);
		messages("grpc.server.received", "Request messages received", RECEIVED);
		messages("grpc.server.sent", "Response messages sent", SENT);
	}

	private static Tags tags(@Nullable String service, @Nullable String method, MethodDescriptor.MethodType type) {
		return Tags.of("rpc.service", (service != null) ? service : UNKNOWN, "rpc.method",
				(method != null) ? method : UNKNOWN, "rpc.type", type.name());
	}

	private void messages(String name, String description, int index) {
		// a message passes before its call has a status: the interceptor says UNKNOWN
		FunctionCounter.builder(name, this, (meters) -> meters.sum(index))
			.description(description)
			.tags(this.tags.and("grpc.status_code", UNKNOWN))
			.register(this.registry);
	}

	/**
	 * Makes the numbers of one more event loop part of the meters.
	 * @return the numbers, to be written on that loop
	 */
	Counters addLoop() {
		Counters counters = new Counters(SIZE);
		this.loops.add(counters);
		return counters;
	}

	private long sum(int index) {
		long sum = 0;
		for (Counters counters : this.loops) {
			sum += counters.get(index);
		}
		return sum;
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
