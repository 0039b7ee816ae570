package dev.grpcloop.boot.health;

import java.util.List;

import dev.grpcloop.boot.server.CompanionServices;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.HealthStatusManager;
import org.jspecify.annotations.Nullable;

/**
 * The health service of grpc-java, which clients ask.
 */
public final class HealthServices implements CompanionServices {

	private final List<BindableService> services;

	private final boolean alone;

	/**
	 * The service of a manager.
	 * @param manager the manager, or {@code null} if there is none to be served
	 * @param alone whether it is served even where the application has no service
	 */
	public HealthServices(@Nullable HealthStatusManager manager, boolean alone) {
		this.services = (manager != null) ? List.of(() -> service(manager)) : List.of();
		this.alone = alone;
	}

	private static ServerServiceDefinition service(HealthStatusManager manager) {
		return ServerInterceptors.intercept(manager.getHealthService(), new GoneWatchers());
	}

	@Override
	public List<BindableService> services() {
		return this.services;
	}

	@Override
	public boolean areServedAlone() {
		return this.alone;
	}

}
