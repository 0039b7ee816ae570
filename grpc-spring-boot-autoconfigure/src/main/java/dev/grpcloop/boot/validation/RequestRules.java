package dev.grpcloop.boot.validation;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * A source of rules for requests.
 */
interface RequestRules {

	/**
	 * Looks for the rules of a method, when its server is made.
	 * @param service the service
	 * @param method one of its methods
	 * @return applies the rules, or {@code null} if there are none
	 * @throws FailureAnalyzedException if the rules are wrong
	 */
	@Nullable RequestValidator validatorOf(ServiceDetails service, MethodDescriptor<?, ?> method);

}
