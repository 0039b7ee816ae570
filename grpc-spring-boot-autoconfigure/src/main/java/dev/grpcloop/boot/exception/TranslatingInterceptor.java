package dev.grpcloop.boot.exception;

import java.util.List;
import java.util.Objects;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks at how the calls of a service end.
 *
 * @param service the service
 * @param translators know statuses of exceptions
 */
record TranslatingInterceptor(ServiceDetails service,
		List<ExceptionTranslator> translators) implements ServerInterceptor {

	private static final Log logger = LogFactory.getLog(CallExceptions.class);

	@Override
	public <Q, R> ServerCall.Listener<Q> interceptCall(ServerCall<Q, R> call, Metadata headers,
			ServerCallHandler<Q, R> next) {
		return FailingCallListener.startCall(new TranslatingServerCall<>(call, this), headers, next);
	}

	/**
	 * Ends a call whose status may stand for an exception.
	 * @param call the call
	 * @param status as the service and the interceptors left it
	 * @param trailers the trailers that go with it
	 */
	void close(ServerCall<?, ?> call, Status status, Metadata trailers) {
		Throwable exception = FailingCall.unclaimed(status);
		if (exception == null) {
			call.close(status, trailers);
			return;
		}
		StatusException known = translate(exception, call.getMethodDescriptor());
		Status told = status;
		if (known != null) {
			told = known.getStatus().withCause(exception);
			if (known.getTrailers() != null) {
				trailers.merge(known.getTrailers());
			}
		}
		log(call, told, exception);
		call.close(told, trailers);
	}

	private @Nullable StatusException translate(Throwable exception, MethodDescriptor<?, ?> method) {
		Throwable bare = CarrierExceptions.unwrap(exception);
		try {
			return this.translators.stream()
				.map((translator) -> translator.translate(bare, this.service, method))
				.filter(Objects::nonNull)
				.findFirst()
				.orElse(null);
		}
		catch (RuntimeException ex) {
			exception.addSuppressed(ex);
			return null;
		}
	}

	/**
	 * A client that sends what it should not is no matter for the log, and neither is
	 * what a service throws when it is interrupted because its client has gone.
	 */
	private static void log(ServerCall<?, ?> call, Status told, Throwable exception) {
		boolean fault = switch (told.getCode()) {
			case UNKNOWN, INTERNAL -> !call.isCancelled();
			default -> false;
		};
		if (fault) {
			logger.error(message(call, told), exception);
		}
		else if (logger.isDebugEnabled()) {
			logger.debug(message(call, told), exception);
		}
	}

	private static String message(ServerCall<?, ?> call, Status told) {
		return call.getMethodDescriptor().getFullMethodName() + " failed, its call ends with " + told.getCode();
	}

}
