package dev.grpcloop.boot.validation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.grpcloop.boot.service.ServiceDetails;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Validates the requests of services, inside all interceptors: who may not call a method
 * does not learn what it takes. Services without rules get no interceptor.
 */
public final class RequestValidation implements ServiceInterceptorContributor {

	private final List<RequestRules> sources;

	private RequestValidation(List<RequestRules> sources) {
		this.sources = sources;
	}

	/**
	 * Validates by the rules of {@code .proto} files, then by constraints.
	 * @param protovalidate the rules of {@code .proto} files, or {@code null}
	 * @param constraints the constraints, or {@code null}
	 * @return the validation
	 */
	public static RequestValidation of(@Nullable ProtovalidateRules protovalidate,
			@Nullable ConstraintRules constraints) {
		return new RequestValidation(
				Stream.<RequestRules>of(protovalidate, constraints).filter(Objects::nonNull).toList());
	}

	@Override
	public @Nullable ServerInterceptor innermost(ServiceDetails service) {
		Map<String, RequestValidator> validators = new HashMap<>();
		for (MethodDescriptor<?, ?> method : service.descriptor().getMethods()) {
			this.sources.stream()
				.map((source) -> source.validatorOf(service, method))
				.filter(Objects::nonNull)
				.reduce(RequestValidator::then)
				.ifPresent((validator) -> validators.put(method.getFullMethodName(), validator));
		}
		return validators.isEmpty() ? null : new ValidatingInterceptor(validators);
	}

}
