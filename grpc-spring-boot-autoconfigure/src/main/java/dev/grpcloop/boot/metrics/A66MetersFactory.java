package dev.grpcloop.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.MethodStatistics;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import org.jspecify.annotations.Nullable;

/**
 * Writes calls under the {@link MeterNames#A66 names of gRFC A66}, with its buckets but
 * those of 0. Methods that the server does not know are {@code other}.
 * <p>
 * The sizes are those of all messages of a call, which the statistics do not keep: the
 * {@link #tracers() tracers} of a server add them up.
 */
public final class A66MetersFactory implements CallRecorder.Factory {

	private static final String OTHER = "other";

	private static final String METHOD = "grpc.method";

	private static final String STATUS = "grpc.status";

	/** In microseconds. */
	private static final Duration[] LATENCIES = LongStream
		.of(10, 50, 100, 300, 600, 800, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 13_000, 16_000, 20_000,
				25_000, 30_000, 40_000, 50_000, 65_000, 80_000, 100_000, 130_000, 160_000, 200_000, 250_000, 300_000,
				400_000, 500_000, 650_000, 800_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000,
				100_000_000)
		.mapToObj((micros) -> Duration.ofNanos(micros * 1_000))
		.toArray(Duration[]::new);

	/** In KiB, up to 4 GiB. */
	private static final double[] SIZES = DoubleStream
		.of(1, 2, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)
		.map((kibibytes) -> kibibytes * 1_024)
		.toArray();

	private final MeterRegistry registry;

	private final A66Sizes others;

	private final Map<String, A66Sizes> sizes = new ConcurrentHashMap<>();

	/**
	 * Creates a factory.
	 * @param registry where the meters are
	 */
	public A66MetersFactory(MeterRegistry registry) {
		this.registry = registry;
		this.others = new A66Sizes((name, code) -> size(name, OTHER, code));
	}

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		return new StatusTimers((code) -> timer(name(method), code));
	}

	@Override
	public void methodAdded(MethodStatistics statistics) {
		String method = name(statistics.method());
		FunctionCounter.builder("grpc.server.call.started", statistics, MethodStatistics::started)
			.description("Calls that have begun")
			.tags(METHOD, method)
			.register(this.registry);
		if (statistics.method() != null) {
			this.sizes.put(method, new A66Sizes((name, code) -> size(name, method, code)));
		}
	}

	/**
	 * Returns what adds up the sizes of messages, for the server whose calls these are.
	 * @return a factory of tracers, one for each call
	 */
	public ServerStreamTracer.Factory tracers() {
		return new ServerStreamTracer.Factory() {

			@Override
			public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
				Map<String, A66Sizes> known = A66MetersFactory.this.sizes;
				return new A66SizeTracer(known.getOrDefault(fullMethodName, A66MetersFactory.this.others));
			}

		};
	}

	private static String name(@Nullable MethodDescriptor<?, ?> method) {
		return (method != null) ? method.getFullMethodName() : OTHER;
	}

	private Timer timer(String method, Status.Code code) {
		return Timer.builder("grpc.server.call.duration")
			.description("Calls, from the arrival of their headers to their end")
			.serviceLevelObjectives(LATENCIES)
			.tags(METHOD, method, STATUS, code.name())
			.register(this.registry);
	}

	private DistributionSummary size(String name, String method, Status.Code code) {
		return DistributionSummary.builder(name)
			.description("Size of all messages of a call, as they were on the wire without prefixes")
			.baseUnit(BaseUnits.BYTES)
			.serviceLevelObjectives(SIZES)
			.tags(METHOD, method, STATUS, code.name())
			.register(this.registry);
	}

}
