package dev.grpcloop.boot.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;
import io.micrometer.observation.transport.Propagator;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Tells conventions, handlers and predicates of a call.
 */
final class ObservationContexts {

	private static final String UNKNOWN = "UNKNOWN";

	private ObservationContexts() {
	}

	/**
	 * The context of a call, which its headers may make part of a trace.
	 * @param call the call
	 * @param headers its headers
	 * @return the context
	 */
	static GrpcServerObservationContext of(ServerCall<?, ?> call, Metadata headers) {
		GrpcServerObservationContext context = of(call.getMethodDescriptor(), headers);
		String authority = call.getAuthority();
		if (authority != null) {
			context.setAuthority(authority);
			setPeer(context, authority);
		}
		return context;
	}

	/**
	 * The context of calls to a method, without what differs between them.
	 * @param method the method, or {@code null} for those that the server does not know
	 * @return the context
	 */
	static GrpcServerObservationContext of(@Nullable MethodDescriptor<?, ?> method) {
		return of(method, new Metadata());
	}

	private static GrpcServerObservationContext of(@Nullable MethodDescriptor<?, ?> method, Metadata headers) {
		GrpcServerObservationContext context = new GrpcServerObservationContext(HeaderGetter.INSTANCE);
		context.setCarrier(headers);
		context.setMethodType((method != null) ? method.getType() : MethodDescriptor.MethodType.UNKNOWN);
		context.setFullMethodName((method != null) ? method.getFullMethodName() : UNKNOWN);
		if (method != null && method.getServiceName() != null) {
			context.setServiceName(method.getServiceName());
		}
		if (method != null && method.getBareMethodName() != null) {
			context.setMethodName(method.getBareMethodName());
		}
		return context;
	}

	/** As it is called in the standard convention, this is the authority, cut in two. */
	private static void setPeer(GrpcServerObservationContext context, String authority) {
		int colon = authority.lastIndexOf(':');
		boolean hasPort = colon > authority.lastIndexOf(']') && colon < authority.length() - 1;
		String host = hasPort ? authority.substring(0, colon) : authority;
		context.setPeerName(StringUtils.hasLength(host) ? host : null);
		context.setPeerPort(hasPort ? port(authority.substring(colon + 1)) : -1);
	}

	private static int port(String text) {
		try {
			return Integer.parseInt(text);
		}
		catch (NumberFormatException ex) {
			return -1;
		}
	}

	private enum HeaderGetter implements Propagator.Getter<Metadata> {

		INSTANCE;

		/** As many as the propagation of the application has fields. */
		private final Map<String, Metadata.Key<String>> keys = new ConcurrentHashMap<>();

		@Override
		public @Nullable String get(Metadata headers, String name) {
			return isText(name) ? headers.get(key(name)) : null;
		}

		@Override
		public Iterable<String> getAll(Metadata headers, String name) {
			Iterable<String> values = isText(name) ? headers.getAll(key(name)) : null;
			return (values != null) ? values : List.of();
		}

		private static boolean isText(String name) {
			return !name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
		}

		private Metadata.Key<String> key(String name) {
			return this.keys.computeIfAbsent(name, (field) -> Metadata.Key.of(field, Metadata.ASCII_STRING_MARSHALLER));
		}

	}

}
