package dev.grpcloop.boot.autoconfigure;

import java.util.HashSet;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the endpoint of the gRPC server.
 */
@ConfigurationProperties("management.endpoint.grpc")
public class GrpcEndpointProperties {

	/**
	 * When to show the addresses of clients.
	 */
	private Show showValues = Show.NEVER;

	/**
	 * Roles of which a user must have one to be shown the addresses of clients, with
	 * 'when-authorized'. When empty, all authenticated users are authorized.
	 */
	private final Set<String> roles = new HashSet<>();

	public Show getShowValues() {
		return this.showValues;
	}

	public void setShowValues(Show showValues) {
		this.showValues = showValues;
	}

	public Set<String> getRoles() {
		return this.roles;
	}

}
