package dev.grpcloop.boot.exception;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.StringUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * Exceptions that name an HTTP status, thrown by code that serves the web too: those that
 * are an {@link ErrorResponse}, such as {@code ResponseStatusException}, and those that
 * are annotated with {@link ResponseStatus}. Their reason is written for clients.
 *
 * @see <a href=
 * "https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto">the HTTP
 * status of each code</a>
 */
public final class WebExceptions implements ExceptionTranslator {

	@Override
	public @Nullable StatusException translate(Throwable exception, ServiceDetails service,
			MethodDescriptor<?, ?> method) {
		if (exception instanceof ErrorResponse response) {
			return status(response.getStatusCode(), response.getBody().getDetail());
		}
		ResponseStatus annotation = AnnotatedElementUtils.findMergedAnnotation(exception.getClass(),
				ResponseStatus.class);
		return (annotation != null) ? status(annotation.code(), annotation.reason()) : null;
	}

	private static StatusException status(HttpStatusCode http, @Nullable String reason) {
		Status status = code(http.value()).toStatus();
		boolean tellsWhy = status.getCode() != Status.Code.INTERNAL && StringUtils.hasText(reason);
		return (tellsWhy ? status.withDescription(reason) : status).asException();
	}

	private static Status.Code code(int http) {
		return switch (http) {
			case 400, 422 -> Status.Code.INVALID_ARGUMENT;
			case 401 -> Status.Code.UNAUTHENTICATED;
			case 403 -> Status.Code.PERMISSION_DENIED;
			case 404, 410 -> Status.Code.NOT_FOUND;
			case 408, 504 -> Status.Code.DEADLINE_EXCEEDED;
			case 409 -> Status.Code.ABORTED;
			case 416 -> Status.Code.OUT_OF_RANGE;
			case 429 -> Status.Code.RESOURCE_EXHAUSTED;
			case 499 -> Status.Code.CANCELLED;
			case 501 -> Status.Code.UNIMPLEMENTED;
			case 503 -> Status.Code.UNAVAILABLE;
			default -> (http >= 400 && http < 500) ? Status.Code.FAILED_PRECONDITION : Status.Code.INTERNAL;
		};
	}

}
