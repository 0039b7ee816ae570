package dev.grpcloop.boot.endpoint;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.server.ObservedServer;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.boot.statistics.ServerStatistics;
import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.telemetry.Guard;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that tells what the gRPC server does and what holds it back.
 * It reads numbers that the event loops have left, and never waits for one.
 */
@Endpoint(id = "grpc", defaultAccess = Access.READ_ONLY)
public final class GrpcEndpoint {

	private final Supplier<@Nullable ObservedServer> server;

	private final @Nullable ServerStatistics statistics;

	private final @Nullable RecentActivity activity;

	private final String uncounted;

	private final Show showValues;

	/**
	 * An endpoint with counts.
	 * @param server gives the server, or {@code null} if none runs
	 * @param statistics the counts
	 * @param activity what has happened lately
	 * @param showValues whether the addresses of clients are shown to those who are not
	 * known, as over JMX
	 */
	public GrpcEndpoint(Supplier<@Nullable ObservedServer> server, ServerStatistics statistics, RecentActivity activity,
			Show showValues) {
		this.server = server;
		this.statistics = statistics;
		this.activity = activity;
		this.uncounted = "";
		this.showValues = showValues;
	}

	/**
	 * An endpoint without counts.
	 * @param server gives the server, or {@code null} if none runs
	 * @param uncounted why there are none
	 * @param showValues whether the addresses of clients are shown to those who are not
	 * known, as over JMX
	 */
	public GrpcEndpoint(Supplier<@Nullable ObservedServer> server, String uncounted, Show showValues) {
		this.server = server;
		this.statistics = null;
		this.activity = null;
		this.uncounted = uncounted;
		this.showValues = showValues;
	}

	@ReadOperation
	GrpcReport grpc() {
		return report(this.showValues == Show.ALWAYS);
	}

	/**
	 * Reports all there is.
	 * @param clients whether the addresses of clients are shown
	 * @return the report
	 */
	GrpcReport report(boolean clients) {
		ObservedServer observed = this.server.get();
		List<ClientReport> shown = clients ? ClientReport.of((observed != null) ? observed.clients() : List.of())
				: null;
		Map<String, Object> limits = (observed != null) ? LimitReport.of(observed) : Map.of();
		EventLoopServer server = (observed != null) ? observed.server() : null;
		ServerReport overall = ServerReport.of(observed);
		BytesReport bytes = BytesReport.of(this.statistics, observed);
		if (this.statistics == null || this.activity == null) {
			return new GrpcReport(overall, this.uncounted, null, new ServiceReports(server, List.of()).of(null), null,
					null, null, bytes, null, null, limits, shown);
		}
		ServerStatistics statistics = this.statistics;
		Difference recent = this.activity.difference();
		return new GrpcReport(overall, null, CallsReport.of(statistics.methods(), recent),
				new ServiceReports(server, statistics.methods()).of(recent), unknown(statistics, recent),
				ConnectionsReport.of(statistics), StreamsReport.of(statistics), bytes,
				Reasons.count(Guard.class, (guard) -> statistics.sum((loop) -> loop.trips(guard))),
				statistics.loops().stream().map((loop) -> LoopReport.of(loop, recent, server)).toList(), limits, shown);
	}

	private static @Nullable MethodReport unknown(ServerStatistics statistics, Difference recent) {
		for (MethodStatistics method : statistics.methods()) {
			if (method.method() == null) {
				return MethodReport.of(method, null, recent);
			}
		}
		return null;
	}

}
