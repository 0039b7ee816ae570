package dev.grpcloop.boot.endpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.grpcloop.boot.endpoint.RecentActivity.Difference;
import dev.grpcloop.boot.statistics.MethodStatistics;
import dev.grpcloop.engine.EventLoopServer;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The services and methods: those that the server has, and those that were called before
 * and of which it has none any more.
 */
final class ServiceReports {

	private final @Nullable EventLoopServer server;

	/** By service and by method. */
	private final SortedMap<String, SortedMap<String, MethodDescriptor<?, ?>>> methods = new TreeMap<>();

	private final Map<String, MethodStatistics> statistics = new HashMap<>();

	/**
	 * The services of a server.
	 * @param server the server, or {@code null} if none runs
	 * @param statistics what is counted; nothing if nothing is
	 */
	ServiceReports(@Nullable EventLoopServer server, Collection<MethodStatistics> statistics) {
		this.server = server;
		if (server != null) {
			server.getServices().forEach(this::add);
		}
		for (MethodStatistics counted : statistics) {
			MethodDescriptor<?, ?> method = counted.method();
			if (method != null) {
				add(method);
				this.statistics.put(method.getFullMethodName(), counted);
			}
		}
	}

	private void add(ServerServiceDefinition service) {
		this.methods.computeIfAbsent(service.getServiceDescriptor().getName(), (name) -> new TreeMap<>());
		service.getMethods().forEach((method) -> add(method.getMethodDescriptor()));
	}

	private void add(MethodDescriptor<?, ?> method) {
		this.methods.computeIfAbsent(String.valueOf(method.getServiceName()), (name) -> new TreeMap<>())
			.putIfAbsent(method.getFullMethodName(), method);
	}

	/**
	 * Reports all of them.
	 * @param recent what has happened lately, or {@code null} if nothing is counted
	 * @return the services in the order of their names
	 */
	List<ServiceReport> of(@Nullable Difference recent) {
		List<ServiceReport> services = new ArrayList<>();
		this.methods.forEach((name, methods) -> services
			.add(new ServiceReport(name, methods.values().stream().map((method) -> report(method, recent)).toList())));
		return services;
	}

	private MethodReport report(MethodDescriptor<?, ?> method, @Nullable Difference recent) {
		if (recent == null) {
			return MethodReport.uncounted(method, runsOn(method));
		}
		MethodStatistics counted = this.statistics.get(method.getFullMethodName());
		return (counted != null) ? MethodReport.of(counted, runsOn(method), recent)
				: MethodReport.uncalled(method, runsOn(method));
	}

	private @Nullable String runsOn(MethodDescriptor<?, ?> method) {
		if (this.server == null) {
			return null;
		}
		return this.server.runsOnEventLoop(method) ? "event-loop" : "executor";
	}

}
