package dev.grpcloop.boot.metrics;

import java.util.Collection;
import java.util.List;

import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.grpc.GrpcServerObservationContext;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

/**
 * What an application has set for observations, as far as it concerns the meters of
 * calls: they are to be the same where no observation is made.
 *
 * @param calls whether the meters of calls are written at all
 * @param running whether {@code grpc.server.active} is among them
 * @param tags of the timers of calls, beside those that all have
 */
public record CallMeterSettings(boolean calls, boolean running, Tags tags) {

	/** All meters, without further tags. */
	public static final CallMeterSettings DEFAULT = new CallMeterSettings(true, true, Tags.empty());

	/** No meters: somebody else writes them. */
	public static final CallMeterSettings OFF = new CallMeterSettings(false, false, Tags.empty());

	/**
	 * Returns the settings that observations of calls would have.
	 * @param filters add key-values
	 * @param ignored meters that observations do not write
	 * @return the settings
	 */
	public static CallMeterSettings of(List<ObservationFilter> filters, Collection<IgnoredMeters> ignored) {
		Observation.Context filtered = context();
		for (ObservationFilter filter : filters) {
			filtered = filter.map(filtered);
		}
		Tags tags = Tags.empty();
		for (KeyValue keyValue : filtered.getLowCardinalityKeyValues()) {
			tags = tags.and(Tag.of(keyValue.getKey(), keyValue.getValue()));
		}
		return new CallMeterSettings(true, !ignored.contains(IgnoredMeters.LONG_TASK_TIMER), tags);
	}

	/** That of no call in particular. */
	private static Observation.Context context() {
		Observation.Context context = new GrpcServerObservationContext((headers, key) -> null);
		context.setName(MethodMeters.TIMER);
		return context;
	}

}
