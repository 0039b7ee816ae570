package dev.grpcloop.boot.autoconfigure;

import dev.grpcloop.boot.server.ServerMode;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Matches if a property says {@code true} or, unless it must be said, nothing. Unlike
 * {@code @ConditionalOnBooleanProperty} it binds the property, so that a value which is
 * no boolean stops the start instead of switching something off without a word.
 */
abstract class BooleanPropertyCondition extends SpringBootCondition {

	private final String key;

	private final boolean byDefault;

	/**
	 * A condition that matches by default.
	 * @param key what follows the prefix, {@code grpc.server} or Spring Boot's
	 */
	BooleanPropertyCondition(String key) {
		this(key, true);
	}

	/**
	 * A condition.
	 * @param key what follows the prefix, {@code grpc.server} or Spring Boot's
	 * @param byDefault whether it matches if nobody has set the property
	 */
	BooleanPropertyCondition(String key, boolean byDefault) {
		this.key = key;
		this.byDefault = byDefault;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(ServerMode.of(context.getClassLoader()).property(this.key), this.byDefault, context);
	}

	static ConditionOutcome outcome(String property, boolean byDefault, ConditionContext context) {
		Binder binder = Binder.get(context.getEnvironment());
		// nothing converts to no boolean at all, as if nobody had set the property
		if (!binder.bind(property, String.class).map(StringUtils::hasText).orElse(true)) {
			throw AllowedValues.invalid(property, "");
		}
		boolean enabled = binder.bind(property, Boolean.class).orElse(byDefault);
		return new ConditionOutcome(enabled,
				ConditionMessage.forCondition("gRPC server").because(property + " is " + enabled));
	}

	/**
	 * {@code grpc.server.enabled}, and {@code spring.grpc.server.enabled} where that is
	 * read.
	 */
	static class OnServerEnabled extends BooleanPropertyCondition {

		OnServerEnabled() {
			super("enabled");
		}

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConditionOutcome ours = super.getMatchOutcome(context, metadata);
			return (ours.isMatch() && ServerMode.of(context.getClassLoader()) == ServerMode.BESIDE_SPRING_BOOT)
					? outcome(ServerMode.SPRING_BOOT_PREFIX + ".enabled", true, context) : ours;
		}

	}

	/** {@code factory.enabled}. */
	static class OnFactoryEnabled extends BooleanPropertyCondition {

		OnFactoryEnabled() {
			super("factory.enabled");
		}

	}

	/** {@code health.enabled}. */
	static class OnHealthEnabled extends BooleanPropertyCondition {

		OnHealthEnabled() {
			super("health.enabled");
		}

	}

	/** {@code health.include-overall-health}. */
	static class OnOverallHealthIncluded extends BooleanPropertyCondition {

		OnOverallHealthIncluded() {
			super("health.include-overall-health");
		}

	}

	/** {@code reflection.enabled}. */
	static class OnReflectionEnabled extends BooleanPropertyCondition {

		OnReflectionEnabled() {
			super("reflection.enabled");
		}

	}

	/** {@code metrics.enabled}. */
	static class OnMetricsEnabled extends BooleanPropertyCondition {

		OnMetricsEnabled() {
			super("metrics.enabled");
		}

	}

	/** {@code observation.enabled}. */
	static class OnObservationEnabled extends BooleanPropertyCondition {

		OnObservationEnabled() {
			super("observation.enabled");
		}

	}

	/** {@code access-log.enabled}. */
	static class OnAccessLogEnabled extends BooleanPropertyCondition {

		OnAccessLogEnabled() {
			super("access-log.enabled", false);
		}

	}

	/** {@code validation.enabled}. */
	static class OnValidationEnabled extends BooleanPropertyCondition {

		OnValidationEnabled() {
			super("validation.enabled");
		}

	}

}
