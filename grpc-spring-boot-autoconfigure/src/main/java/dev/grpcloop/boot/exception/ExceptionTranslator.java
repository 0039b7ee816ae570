package dev.grpcloop.boot.exception;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import io.grpc.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Knows the status of exceptions that no handler of the application has claimed. Beans of
 * this type are asked in their order, for each such exception of a call, on the thread
 * that ends the call.
 *
 * @see CallExceptions
 */
@FunctionalInterface
public interface ExceptionTranslator {

	/**
	 * Translates an exception.
	 * @param exception the exception, without those that only carry it between threads
	 * @param service the service whose call failed
	 * @param method the method that was called
	 * @return the status for the client and its trailers, or {@code null} if the
	 * exception is not known
	 */
	@Nullable StatusException translate(Throwable exception, ServiceDetails service, MethodDescriptor<?, ?> method);

}
