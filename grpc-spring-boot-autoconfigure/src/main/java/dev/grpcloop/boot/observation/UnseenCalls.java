package dev.grpcloop.boot.observation;

import java.util.concurrent.TimeUnit;

import dev.grpcloop.boot.statistics.CallRecorder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.grpc.DefaultGrpcServerObservationConvention;
import io.micrometer.core.instrument.binder.grpc.GrpcObservationDocumentation;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationConvention;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

/**
 * Records the calls that end before an interceptor sees them, beside an interceptor that
 * records all others. Name and tags are made as for those, by the conventions and the
 * filters of the application: a registry may refuse a meter whose tags are not those of
 * its namesakes. There is no span.
 */
public final class UnseenCalls implements CallRecorder.Factory {

	private static final GrpcServerObservationConvention DEFAULT_CONVENTION = new DefaultGrpcServerObservationConvention();

	private static final int CODES = Status.Code.values().length;

	private final MeterRegistry meters;

	private final ObservationRegistry observations = ObservationRegistry.create();

	private final @Nullable GrpcServerObservationConvention convention;

	/**
	 * A factory of recorders.
	 * @param meters where the meters are
	 * @param beans has what gives observations their names
	 */
	public UnseenCalls(MeterRegistry meters, BeanFactory beans) {
		this.meters = meters;
		this.convention = beans.getBeanProvider(GrpcServerObservationConvention.class).getIfAvailable();
		ObservationRegistry.ObservationConfig config = this.observations.observationConfig();
		beans.getBeanProvider(ObservationPredicate.class).orderedStream().forEach(config::observationPredicate);
		beans.getBeanProvider(GlobalObservationConvention.class).orderedStream().forEach(config::observationConvention);
		beans.getBeanProvider(ObservationFilter.class).orderedStream().forEach(config::observationFilter);
		config.observationHandler(new TimerFinder());
	}

	@Override
	public CallRecorder create(@Nullable MethodDescriptor<?, ?> method) {
		@Nullable Timer[] timers = new Timer[CODES];
		return (status, nanos, served) -> {
			if (served) {
				return;
			}
			int code = status.getCode().ordinal();
			Timer timer = (status.getCause() == null) ? timers[code] : null;
			if (timer == null) {
				timer = find(method, status);
				timers[code] = (status.getCause() == null) ? timer : timers[code];
			}
			if (timer != null) {
				timer.record(nanos, TimeUnit.NANOSECONDS);
			}
		};
	}

	private @Nullable Timer find(@Nullable MethodDescriptor<?, ?> method, Status status) {
		GrpcServerObservationContext context = ObservationContexts.of(method);
		context.setStatusCode(status.getCode());
		Observation observation = GrpcObservationDocumentation.SERVER
			.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.observations)
			.start();
		if (status.getCause() != null) {
			observation.error(status.getCause());
		}
		observation.stop();
		return context.get(Timer.class);
	}

	/** Hears of an observation when all that names it has been asked. */
	private final class TimerFinder implements ObservationHandler<Observation.Context> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			Throwable error = context.getError();
			Tags tags = Tags
				.of(context.getLowCardinalityKeyValues()
					.stream()
					.map((keyValue) -> Tag.of(keyValue.getKey(), keyValue.getValue()))
					.toList())
				.and("error", (error != null) ? error.getClass().getSimpleName() : KeyValue.NONE_VALUE);
			context.put(Timer.class, UnseenCalls.this.meters.timer(context.getName(), tags));
		}

	}

}
