package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Finds the method that a path names. Immutable, but for the fallback registry of the
 * caller's.
 */
public final class MethodRegistry {

	private final Map<AsciiString, MethodRoute<?, ?>> byPath = new HashMap<>();

	private final List<MethodDescriptor<?, ?>> descriptors = new ArrayList<>();

	private final List<ServerInterceptor> interceptors;

	private final @Nullable HandlerRegistry fallback;

	/**
	 * Creates a registry.
	 * @param services the services
	 * @param interceptors run for every call, the last one first
	 * @param fallback is asked for what the services do not have, or {@code null}
	 */
	public MethodRegistry(Collection<ServerServiceDefinition> services, List<ServerInterceptor> interceptors,
			@Nullable HandlerRegistry fallback) {
		this.interceptors = List.copyOf(interceptors);
		this.fallback = fallback;
		for (ServerServiceDefinition service : services) {
			for (ServerMethodDefinition<?, ?> method : ServerInterceptors.intercept(service, this.interceptors)
				.getMethods()) {
				String path = "/" + method.getMethodDescriptor().getFullMethodName();
				this.byPath.put(AsciiString.of(path), new MethodRoute<>(method, this.descriptors.size()));
				this.descriptors.add(method.getMethodDescriptor());
			}
		}
	}

	/**
	 * Finds a method of the services.
	 * @param path the request's path, with its leading slash
	 * @return the method, or {@code null}
	 */
	public @Nullable MethodRoute<?, ?> lookup(AsciiString path) {
		return this.byPath.get(path);
	}

	/**
	 * Asks the fallback registry. It is the caller's code, may block, and may answer
	 * differently every time.
	 * @param path the request's path, with its leading slash
	 * @param authority the request's authority, or {@code null}
	 * @return the method, or {@code null}
	 */
	public @Nullable MethodRoute<?, ?> lookupFallback(AsciiString path, @Nullable String authority) {
		if (this.fallback == null) {
			return null;
		}
		ServerMethodDefinition<?, ?> method = this.fallback.lookupMethod(path.toString(1), authority);
		return (method != null) ? intercepted(method) : null;
	}

	private <Q, R> MethodRoute<Q, R> intercepted(ServerMethodDefinition<Q, R> method) {
		ServerServiceDefinition service = ServerServiceDefinition
			.builder(MethodDescriptor.extractFullServiceName(method.getMethodDescriptor().getFullMethodName()))
			.addMethod(method)
			.build();
		@SuppressWarnings("unchecked")
		ServerMethodDefinition<Q, R> intercepted = (ServerMethodDefinition<Q, R>) ServerInterceptors
			.intercept(service, this.interceptors)
			.getMethod(method.getMethodDescriptor().getFullMethodName());
		return new MethodRoute<>(intercepted, MethodRoute.NOT_INDEXED);
	}

	List<MethodDescriptor<?, ?>> descriptors() {
		return this.descriptors;
	}

}
