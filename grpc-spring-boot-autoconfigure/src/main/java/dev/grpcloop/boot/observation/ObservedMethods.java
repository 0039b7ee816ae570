package dev.grpcloop.boot.observation;

import java.util.function.Predicate;
import java.util.stream.Stream;

import io.grpc.MethodDescriptor;
import io.micrometer.core.instrument.binder.grpc.DefaultGrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;
import io.micrometer.observation.ObservationPredicate;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The methods whose calls the engine records: those that would be observed. Spring Boot's
 * {@code management.observations.enable} is one of the predicates.
 *
 * @param predicates say what is observed
 */
public record ObservedMethods(
		ObjectProvider<ObservationPredicate> predicates) implements Predicate<@Nullable MethodDescriptor<?, ?>> {

	private static final String NAME = new DefaultGrpcServerObservationConvention().getName();

	@Override
	public boolean test(@Nullable MethodDescriptor<?, ?> method) {
		GrpcServerObservationContext context = ObservationContexts.of(method);
		try (Stream<ObservationPredicate> all = this.predicates.orderedStream()) {
			return all.allMatch((predicate) -> predicate.test(NAME, context));
		}
	}

}
