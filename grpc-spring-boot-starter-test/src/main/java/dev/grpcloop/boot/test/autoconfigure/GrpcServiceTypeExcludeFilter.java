package dev.grpcloop.boot.test.autoconfigure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.grpcloop.boot.GrpcController;
import dev.grpcloop.boot.exception.ExceptionTranslator;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.advice.GrpcAdvice;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.grpc.server.service.GrpcService;
import org.springframework.grpc.server.service.ServerInterceptorFilter;

/**
 * Keeps everything but gRPC services, and what is around their calls, out of a
 * {@link GrpcServiceTest @GrpcServiceTest}.
 */
final class GrpcServiceTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<GrpcServiceTest> {

	private static final List<Class<?>> AROUND_SERVICES = List.of(GlobalServerInterceptor.class,
			ServerInterceptor.class, ServerInterceptorFilter.class, GrpcAdvice.class, GrpcExceptionHandler.class,
			ServerServiceDefinitionFilter.class, ServerBuilderCustomizer.class, ExceptionTranslator.class,
			ServiceInterceptorContributor.class);

	private static final List<Class<?>> ALL_SERVICES = List.of(BindableService.class, GrpcService.class,
			GrpcController.class);

	private final List<Class<?>> services;

	GrpcServiceTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
		List<Class<?>> named = getAnnotation().isPresent() ? List.of(getAnnotation().getClassArray("services"))
				: List.of();
		this.services = named.isEmpty() ? ALL_SERVICES : named;
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return new LinkedHashSet<>(AROUND_SERVICES);
	}

	@Override
	protected Set<Class<?>> getComponentIncludes() {
		return new LinkedHashSet<>(this.services);
	}

}
