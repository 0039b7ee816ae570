package dev.grpcloop.boot.server;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

import dev.grpcloop.boot.Blocking;
import dev.grpcloop.boot.NonBlocking;
import dev.grpcloop.boot.service.ServiceBean;
import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Which methods run on the event loop and which do not, as {@link Blocking} and
 * {@link NonBlocking} say.
 */
final class MethodPlacement {

	private final Map<String, Boolean> onEventLoop = new HashMap<>();

	private final boolean onEventLoopByDefault;

	/**
	 * Knows of no service yet.
	 * @param onEventLoopByDefault where methods run that do not say it
	 */
	MethodPlacement(boolean onEventLoopByDefault) {
		this.onEventLoopByDefault = onEventLoopByDefault;
	}

	/**
	 * Reads the annotations of a service.
	 * @param service the service
	 * @throws FailureAnalyzedException if they contradict each other, or stand on a
	 * method that is no RPC, or put one on the event loop that waits for it
	 */
	void add(ServiceDetails service) {
		Class<?> type = service.type();
		Boolean ofType = placement(type, type.getName());
		Map<String, Boolean> ofMethods = new HashMap<>();
		MethodIntrospector
			.selectMethods(type,
					(MethodIntrospector.MetadataLookup<Boolean>) (method) -> placement(method, describe(type, method)))
			.forEach((method, place) -> ofMethods.put(method.getName(), place));
		for (MethodDescriptor<?, ?> rpc : service.descriptor().getMethods()) {
			Method method = service.methods().get(rpc.getFullMethodName());
			Boolean place = (method != null) ? ofMethods.remove(method.getName()) : null;
			if (place == null) {
				place = ofType;
			}
			if (place != null) {
				this.onEventLoop.put(rpc.getFullMethodName(), place);
			}
			if ((place != null) ? place : this.onEventLoopByDefault) {
				refuseWaiting(service, rpc.getFullMethodName(), place);
			}
		}
		if (!ofMethods.isEmpty()) {
			throw new FailureAnalyzedException(
					"@Blocking or @NonBlocking stands on " + type.getName() + "." + ofMethods.keySet().iterator().next()
							+ ", but " + service.descriptor().getName() + " has no such method.",
					"Put it on the method that serves a call, or on the class.");
		}
	}

	private static void refuseWaiting(ServiceDetails service, String rpc, @Nullable Boolean place) {
		Method method = service.methods().get(rpc);
		if (method != null && service.service() instanceof ServiceBean bean && bean.waitingMethods().contains(rpc)) {
			throw new FailureAnalyzedException(
					describe(service.type(), method) + " serves " + rpc
							+ " and waits for its requests, but it would run on the event loop, which brings them: "
							+ ((place != null) ? "it is @NonBlocking." : "grpc.server.executor.mode is event-loop."),
					"Put @Blocking on the method, or let it take and give its messages without waiting: as a "
							+ "Flow.Publisher or Flux, with a CompletionStage, Mono, Flow.Publisher, Flux or GrpcSink.");
		}
	}

	private static String describe(Class<?> type, Method method) {
		return type.getName() + "." + method.getName();
	}

	private static @Nullable Boolean placement(AnnotatedElement element, String name) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		boolean blocking = annotations.isPresent(Blocking.class);
		boolean nonBlocking = annotations.isPresent(NonBlocking.class);
		if (blocking && nonBlocking) {
			throw new FailureAnalyzedException(name + " is both @Blocking and @NonBlocking.",
					"Keep @Blocking if its code may block, else @NonBlocking.");
		}
		return blocking ? Boolean.FALSE : nonBlocking ? Boolean.TRUE : null;
	}

	/**
	 * Where a method runs.
	 * @param method the method
	 * @return whether on the event loop, or {@code null} if its service does not say
	 */
	@Nullable Boolean of(MethodDescriptor<?, ?> method) {
		return this.onEventLoop.get(method.getFullMethodName());
	}

}
