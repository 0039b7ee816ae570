package dev.grpcloop.boot.service;

import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Gives services interceptors whose place is not a matter of order. A call goes through
 * the outermost interceptors, the global ones, those of its service, the innermost ones,
 * and reaches the service. Contributors are asked once for each service of a server, in
 * their order; of several, the first is the outermost of its kind.
 */
public interface ServiceInterceptorContributor {

	/**
	 * Returns an interceptor around all others.
	 * @param service the service
	 * @return the interceptor, or {@code null} for none
	 */
	default @Nullable ServerInterceptor outermost(ServiceDetails service) {
		return null;
	}

	/**
	 * Returns an interceptor inside all others.
	 * @param service the service
	 * @return the interceptor, or {@code null} for none
	 */
	default @Nullable ServerInterceptor innermost(ServiceDetails service) {
		return null;
	}

}
