package dev.grpcloop.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.grpcloop.boot.server.ObservedServer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * {@link InfoContributor} of the gRPC server: what it is made of.
 */
public final class GrpcInfoContributor implements InfoContributor {

	private final Map<String, String> versions;

	private final Supplier<@Nullable ObservedServer> server;

	/**
	 * A contributor.
	 * @param versions the versions of the libraries, by their names
	 * @param server gives the server, or {@code null} if none runs
	 */
	public GrpcInfoContributor(Map<String, String> versions, Supplier<@Nullable ObservedServer> server) {
		this.versions = Map.copyOf(versions);
		this.server = server;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("versions", this.versions);
		ServerReport report = ServerReport.of(this.server.get());
		put(details, "backend", report.backend());
		put(details, "workers", report.workers());
		put(details, "executor", report.executor());
		builder.withDetail("grpc", details);
	}

	private static void put(Map<String, Object> details, String name, @Nullable Object value) {
		if (value != null) {
			details.put(name, value);
		}
	}

}
