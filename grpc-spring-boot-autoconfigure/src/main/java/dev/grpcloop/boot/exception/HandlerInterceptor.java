package dev.grpcloop.boot.exception;

import java.util.List;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.exception.CompositeGrpcExceptionHandler;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.grpc.server.exception.GrpcExceptionHandlerInterceptor;

/**
 * Lets the {@link GrpcExceptionHandler} beans of the application decide on the exceptions
 * of calls, in their order. It takes the place of Spring gRPC's interceptor, and keeps
 * what that one loses: the trailers of a status that a service throws, its description,
 * what a service throws after it has ended its call, and the call itself if a handler
 * throws on a thread of the service's own. A handler sees an exception once. What is
 * thrown and no handler claims is thrown on, for interceptors further out that catch
 * exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class HandlerInterceptor extends GrpcExceptionHandlerInterceptor {

	private final ExceptionHandlers handlers;

	/**
	 * An interceptor.
	 * @param handlers are asked in this order, the first that returns a status decides
	 */
	public HandlerInterceptor(List<GrpcExceptionHandler> handlers) {
		super(new CompositeGrpcExceptionHandler(handlers.toArray(GrpcExceptionHandler[]::new)));
		this.handlers = new ExceptionHandlers(List.copyOf(handlers));
	}

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		if (this.handlers.isEmpty()) {
			return next.startCall(call, headers);
		}
		return FailingCallListener.startCall(new HandledServerCall<>(call, this.handlers), headers, next);
	}

}
