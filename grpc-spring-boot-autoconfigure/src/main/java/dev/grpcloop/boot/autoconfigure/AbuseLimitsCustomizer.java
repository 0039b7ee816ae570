package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.engine.EventLoopServerBuilder;
import dev.grpcloop.engine.http2.AbuseLimits;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.grpc.server.ServerBuilderCustomizer;

/**
 * The properties {@code grpc.server.guard.*}, checked.
 *
 * @param limits what they say
 */
record AbuseLimitsCustomizer(AbuseLimits limits) implements ServerBuilderCustomizer<EventLoopServerBuilder> {

	/**
	 * Checks the properties.
	 * @param guard as they were bound
	 * @return what they say
	 * @throws InvalidConfigurationPropertyValueException if one is out of its range
	 */
	static AbuseLimitsCustomizer of(GuardProperties guard) {
		return new AbuseLimitsCustomizer(new AbuseLimits(
				AllowedValues.positiveNanos("grpc.server.guard.period", guard.getPeriod()),
				AllowedValues.atLeast("grpc.server.guard.resets", guard.getResets(), 0),
				AllowedValues.atLeast("grpc.server.guard.protocol-faults", guard.getProtocolFaults(), 0),
				AllowedValues.atLeast("grpc.server.guard.settings", guard.getSettings(), 0),
				AllowedValues.atLeast("grpc.server.guard.control-frames", guard.getControlFrames(), 0),
				AllowedValues.atLeast("grpc.server.guard.empty-frames", guard.getEmptyFrames(), 0),
				AllowedValues.atLeast("grpc.server.guard.tiny-frames", guard.getTinyFrames(), 0),
				AllowedValues.atLeast("grpc.server.guard.small-continuations", guard.getSmallContinuations(), 1)));
	}

	@Override
	public void customize(EventLoopServerBuilder builder) {
		builder.abuseLimits(this.limits);
	}

}
