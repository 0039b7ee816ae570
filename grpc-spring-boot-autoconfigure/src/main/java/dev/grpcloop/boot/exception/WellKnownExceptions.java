package dev.grpcloop.boot.exception;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.grpcloop.boot.service.ServiceDetails;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions of Spring that mean the same in every application. They are known by name,
 * so that the modules which have them need not be there. Of the class of an exception and
 * its superclasses the first one in the table decides. The descriptions are fixed: the
 * messages of these exceptions speak of tables, hosts and beans.
 */
final class WellKnownExceptions implements ExceptionTranslator {

	private static final Status CONFLICT = Status.ABORTED.withDescription("Concurrent change");

	private static final Status TIMEOUT = Status.DEADLINE_EXCEEDED.withDescription("Time limit of the server exceeded");

	private static final Status OUT_OF_REACH = Status.UNAVAILABLE.withDescription("Resource not available");

	private static final Status OVERLOADED = Status.RESOURCE_EXHAUSTED.withDescription("Server overloaded");

	private static final Map<String, Status> TABLE = table();

	private static Map<String, Status> table() {
		Map<String, Status> table = new LinkedHashMap<>();
		table.put("org.springframework.security.core.AuthenticationException",
				Status.UNAUTHENTICATED.withDescription("Authentication failed"));
		table.put("org.springframework.security.access.AccessDeniedException",
				Status.PERMISSION_DENIED.withDescription("Access denied"));
		table.put("org.springframework.dao.ConcurrencyFailureException", CONFLICT);
		table.put("org.springframework.dao.QueryTimeoutException", TIMEOUT);
		table.put("org.springframework.transaction.TransactionTimedOutException", TIMEOUT);
		table.put("org.springframework.dao.TransientDataAccessException", OUT_OF_REACH);
		table.put("org.springframework.dao.RecoverableDataAccessException", OUT_OF_REACH);
		table.put("org.springframework.dao.DataAccessResourceFailureException", OUT_OF_REACH);
		table.put("org.springframework.transaction.CannotCreateTransactionException", OUT_OF_REACH);
		table.put("org.springframework.core.task.TaskRejectedException", OVERLOADED);
		table.put("org.springframework.resilience.InvocationRejectedException", OVERLOADED);
		table.put("jakarta.validation.ConstraintViolationException", Status.INTERNAL);
		table.put("org.springframework.validation.method.MethodValidationException", Status.INTERNAL);
		return table;
	}

	/**
	 * Returns the table.
	 * @return name of an exception class to status
	 */
	static Map<String, Status> statuses() {
		return TABLE;
	}

	@Override
	public @Nullable StatusException translate(Throwable exception, ServiceDetails service,
			MethodDescriptor<?, ?> method) {
		for (Class<?> type = exception.getClass(); type != null; type = type.getSuperclass()) {
			Status status = TABLE.get(type.getName());
			if (status != null) {
				return status.asException();
			}
		}
		return null;
	}

}
