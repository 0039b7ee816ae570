package dev.grpcloop.boot.server;

import java.util.List;

import io.grpc.BindableService;

/**
 * Services that tell of a server and of its services, such as health and reflection. They
 * are served beside the services of the application, each unless one of those has its
 * name.
 */
public interface CompanionServices {

	/**
	 * Returns the services.
	 * @return the services, possibly none
	 */
	List<BindableService> services();

	/**
	 * Whether they are served even where there is no service that they could go with.
	 * @return {@code false} unless somebody has asked for it
	 */
	default boolean areServedAlone() {
		return false;
	}

}
