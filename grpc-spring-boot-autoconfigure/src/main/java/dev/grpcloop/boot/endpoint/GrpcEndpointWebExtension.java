package dev.grpcloop.boot.endpoint;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.core.io.Resource;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of the {@link GrpcEndpoint}: on the
 * web it is known who asks.
 */
@EndpointWebExtension(endpoint = GrpcEndpoint.class)
public final class GrpcEndpointWebExtension {

	private final GrpcEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * An extension.
	 * @param endpoint what it extends
	 * @param showValues to whom the addresses of clients are shown
	 * @param roles one of which somebody must have to count as authorized; if there is
	 * none, everybody does who is authenticated
	 */
	public GrpcEndpointWebExtension(GrpcEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	@ReadOperation
	GrpcReport grpc(SecurityContext securityContext) {
		return this.endpoint.report(this.showValues.isShown(securityContext, this.roles));
	}

	/**
	 * The page that shows what the endpoint tells, its script and its style.
	 * @param name the name of the file
	 * @return the file, or {@code null} if there is none of that name
	 */
	@ReadOperation(produces = "*/*")
	@Nullable WebEndpointResponse<Resource> file(@Selector String name) {
		return DashboardFile.find(name);
	}

}
