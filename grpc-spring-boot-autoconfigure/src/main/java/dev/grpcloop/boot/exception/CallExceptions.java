package dev.grpcloop.boot.exception;

import java.util.List;
import java.util.stream.Stream;

import dev.grpcloop.boot.service.ServiceDetails;
import dev.grpcloop.boot.service.ServiceInterceptorContributor;
import io.grpc.ServerInterceptor;

/**
 * Has the last word on calls that end with an exception. An interceptor around all others
 * catches what the service and the interceptors throw, and looks at statuses that are
 * {@code UNKNOWN} for an exception and say nothing else, which is what is left of an
 * exception that nobody has claimed. What the {@linkplain ExceptionTranslator
 * translators} do not know stays as it is and is logged.
 */
public final class CallExceptions implements ServiceInterceptorContributor {

	private final List<ExceptionTranslator> translators;

	/**
	 * Exceptions and their statuses.
	 * @param translators are asked in this order, before the table of well-known
	 * exceptions; the first one that knows decides
	 */
	public CallExceptions(List<ExceptionTranslator> translators) {
		this.translators = Stream.concat(translators.stream(), Stream.of(new WellKnownExceptions())).toList();
	}

	@Override
	public ServerInterceptor outermost(ServiceDetails service) {
		return new TranslatingInterceptor(service, this.translators);
	}

}
