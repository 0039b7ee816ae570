package dev.grpcloop.boot.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.grpcloop.boot.metrics.A66MetersFactory;
import dev.grpcloop.boot.metrics.AccessLogMeters;
import dev.grpcloop.boot.metrics.CallMetersFactory;
import dev.grpcloop.boot.metrics.EngineMeters;
import dev.grpcloop.boot.metrics.NetDevhMetersFactory;
import dev.grpcloop.boot.metrics.ServerMeters;
import dev.grpcloop.boot.statistics.CallRecorder;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.engine.telemetry.MethodTelemetry;
import io.grpc.Metadata;
import io.grpc.Status;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

/**
 * Every meter that a server can write, with what a Prometheus registry makes of it.
 */
public final class AllMeters {

	private static final String SUFFIXES = "(_total|_count|_sum|_max|_bucket)?";

	private static final String ACTIVE = "grpc.server.active";

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final Map<String, List<Meter>> meters = new TreeMap<>();

	private final List<String> samples;

	/** Kept, since meters hold it weakly. */
	private final ServerMeters server = new ServerMeters(() -> null);

	private final ServerStatistics statistics;

	public AllMeters() {
		A66MetersFactory a66 = new A66MetersFactory(this.registry);
		this.statistics = new ServerStatistics(CallRecorder.Factory
			.of(List.of(new CallMetersFactory(this.registry, true), a66, new NetDevhMetersFactory(this.registry))));
		new EngineMeters(this.statistics).bindTo(this.registry);
		this.server.bindTo(this.registry);
		new AccessLogMeters(() -> 0).bindTo(this.registry);
		new NettyAllocatorMetrics((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).bindTo(this.registry);
		MethodTelemetry method = this.statistics.loop(0).method(GreeterGrpc.getHelloMethod());
		method.callStarted(0);
		method.callClosed(Status.OK, 0, 1, true);
		a66.tracers().newServerStreamTracer("", new Metadata()).streamClosed(Status.OK);
		this.statistics.loopBlocked(GreeterGrpc.getHelloMethod(), 1);
		this.registry.getMeters()
			.stream()
			// to Prometheus it is a part of the long task timer
			.filter((meter) -> !meter.getId().getName().equals(ACTIVE + ".seconds.max"))
			.forEach((meter) -> this.meters.computeIfAbsent(meter.getId().getName(), (name) -> new ArrayList<>())
				.add(meter));
		this.samples = this.registry.scrape().lines().filter((line) -> !line.startsWith("#")).toList();
	}

	public Set<String> names() {
		return this.meters.keySet();
	}

	public Map<String, Set<String>> tags() {
		Map<String, Set<String>> tags = new TreeMap<>();
		this.meters.forEach((name, meters) -> tags.put(name,
				meters.get(0)
					.getId()
					.getTags()
					.stream()
					.map(Tag::getKey)
					.collect(Collectors.toCollection(TreeSet::new))));
		return tags;
	}

	public List<String> values(String name, String tag) {
		return this.meters.get(name)
			.stream()
			.map((meter) -> String.valueOf(meter.getId().getTag(tag)))
			.distinct()
			.sorted()
			.toList();
	}

	public String description(String name) {
		return Objects.requireNonNullElse(this.meters.get(name).get(0).getId().getDescription(), "");
	}

	public String kind(String name) {
		Meter meter = this.meters.get(name).get(0);
		String unit = meter.getId().getBaseUnit();
		Meter.Type type = name.equals(ACTIVE) ? Meter.Type.LONG_TASK_TIMER : meter.getId().getType();
		String kind = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
		return (unit != null) ? kind + ", " + unit : kind;
	}

	public List<String> prometheusNames(String name) {
		Meter.Id id = this.meters.get(name).get(0).getId();
		String family = this.registry.config()
			.namingConvention()
			.name(id.getName(), id.getType(), id.getBaseUnit())
			.replaceFirst("_total$", "");
		Pattern pattern = Pattern.compile(Pattern.quote(family) + SUFFIXES);
		return this.samples.stream()
			.map((sample) -> sample.split("[{ ]")[0])
			.filter((sample) -> pattern.matcher(sample).matches())
			.distinct()
			.sorted()
			.toList();
	}

}
