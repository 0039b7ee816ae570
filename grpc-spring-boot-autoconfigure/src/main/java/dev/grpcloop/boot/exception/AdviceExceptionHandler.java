package dev.grpcloop.boot.exception;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

import org.springframework.grpc.server.advice.GrpcAdviceExceptionHandler;
import org.springframework.grpc.server.advice.GrpcExceptionHandlerMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * Spring gRPC's handler for the methods of advice beans, with two more answers: a
 * {@code com.google.rpc.Status}, whose details go into the trailers, and a status that is
 * thrown instead of returned.
 */
public final class AdviceExceptionHandler extends GrpcAdviceExceptionHandler {

	private static final boolean RICH_STATUS = ClassUtils.isPresent("io.grpc.protobuf.StatusProto",
			AdviceExceptionHandler.class.getClassLoader());

	/**
	 * A handler.
	 * @param resolver knows the methods
	 */
	public AdviceExceptionHandler(GrpcExceptionHandlerMethodResolver resolver) {
		super(resolver);
	}

	@Override
	protected @Nullable Object handleThrownException(Throwable exception) throws Throwable {
		try {
			Object answer = super.handleThrownException(exception);
			return (RICH_STATUS && answer != null) ? RichStatus.unwrap(answer) : answer;
		}
		catch (StatusException | StatusRuntimeException ex) {
			return ex;
		}
	}

}
