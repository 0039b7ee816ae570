package dev.grpcloop.boot.service;

import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * Which bean serves which service of a server: one each, or requests would silently go to
 * one of them.
 */
public final class ServiceOwners {

	private final Map<String, ServiceDetails> owners = new HashMap<>();

	/**
	 * Adds a service.
	 * @param service the service
	 * @throws FailureAnalyzedException if another bean serves it already
	 */
	public void add(ServiceDetails service) {
		String name = service.descriptor().getName();
		ServiceDetails owner = this.owners.putIfAbsent(name, service);
		if (owner != null) {
			throw new FailureAnalyzedException(
					"Two beans serve the gRPC service " + name + ": " + owner.describe() + " and " + service.describe()
							+ ".",
					"Remove one of the two beans, or make it conditional: a server answers each service once.");
		}
	}

}
