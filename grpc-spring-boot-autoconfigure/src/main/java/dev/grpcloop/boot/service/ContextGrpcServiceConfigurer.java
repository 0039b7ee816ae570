package dev.grpcloop.boot.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.service.GrpcServiceConfigurer;
import org.springframework.grpc.server.service.GrpcServiceSpec;

/**
 * Binds services and puts their interceptors around them: the outermost ones of
 * {@link ServiceInterceptorContributor contributors}, those of the application, the
 * innermost ones of contributors.
 */
public final class ContextGrpcServiceConfigurer implements GrpcServiceConfigurer {

	private final ServiceBeans services;

	private final ObjectProvider<ServiceInterceptorContributor> contributors;

	/**
	 * A configurer of a context's services.
	 * @param services the services and the interceptors of the context
	 * @param contributors asked for each service, in their order
	 */
	public ContextGrpcServiceConfigurer(ServiceBeans services,
			ObjectProvider<ServiceInterceptorContributor> contributors) {
		this.services = services;
		this.contributors = contributors;
	}

	/**
	 * Binds a service, with its interceptors.
	 * @param spec the service
	 * @param serverFactory decides which global interceptors it takes; {@code null} takes
	 * all
	 * @return the service as a server can serve it
	 * @throws FailureAnalyzedException if the service names an interceptor that is no
	 * bean
	 */
	@Override
	public ServerServiceDefinition configure(GrpcServiceSpec spec, @Nullable GrpcServerFactory serverFactory) {
		BoundService service = this.services.bound(spec.service());
		InterceptorChain ofApplication = new InterceptorChain(this.services.beans(), service);
		ofApplication.addGlobal(serverFactory);
		if (spec.serviceInfo() != null) {
			ofApplication.addListed(spec.serviceInfo());
		}
		List<ServerInterceptor> all = new ArrayList<>();
		contribute(all, service, ServiceInterceptorContributor::outermost);
		all.addAll(ofApplication.interceptors());
		contribute(all, service, ServiceInterceptorContributor::innermost);
		return ServerInterceptors.interceptForward(service.definition(), all);
	}

	private void contribute(List<ServerInterceptor> all, BoundService service,
			BiFunction<ServiceInterceptorContributor, ServiceDetails, @Nullable ServerInterceptor> place) {
		this.contributors.orderedStream()
			.map((contributor) -> place.apply(contributor, service.details()))
			.filter(Objects::nonNull)
			.forEach(all::add);
	}

}
