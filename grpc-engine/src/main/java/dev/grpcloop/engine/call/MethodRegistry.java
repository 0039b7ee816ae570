package dev.grpcloop.engine.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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

	private final Predicate<MethodDescriptor<?, ?>> onEventLoop;

	/**
	 * Creates a registry.
	 * @param services the services
	 * @param interceptors run for every call, the last one first
	 * @param fallback is asked for what the services do not have, or {@code null}
	 * @param onEventLoop which methods run on the event loop
	 */
	public MethodRegistry(Collection<ServerServiceDefinition> services, List<ServerInterceptor> interceptors,
			@Nullable HandlerRegistry fallback, Predicate<MethodDescriptor<?, ?>> onEventLoop) {
		this.onEventLoop = onEventLoop;
		this.interceptors = List.copyOf(interceptors);
		this.fallback = fallback;
		for (ServerServiceDefinition service : services) {
			for (ServerMethodDefinition<?, ?> method : ServerInterceptors.intercept(service, this.interceptors)
				.getMethods()) {
				String path = "/" + method.getMethodDescriptor().getFullMethodName();
				this.byPath.put(AsciiString.of(path), new MethodRoute<>(method, this.descriptors.size(),
						onEventLoop.test(method.getMethodDescriptor())));
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
		return new MethodRoute<>(intercepted, MethodRoute.NOT_INDEXED,
				this.onEventLoop.test(method.getMethodDescriptor()));
	}

	/**
	 * Whether any method of the services runs on the event loop.
	 * @return whether one does
	 */
	public boolean usesEventLoop() {
		return this.byPath.values().stream().anyMatch(MethodRoute::onEventLoop);
	}

	/**
	 * Whether all methods of the services run on the event loop, and there is no
	 * fallback.
	 * @return whether they do
	 */
	public boolean runsOnEventLoopOnly() {
		return this.fallback == null && this.byPath.values().stream().allMatch(MethodRoute::onEventLoop);
	}

	List<MethodDescriptor<?, ?>> descriptors() {
		return this.descriptors;
	}

}
