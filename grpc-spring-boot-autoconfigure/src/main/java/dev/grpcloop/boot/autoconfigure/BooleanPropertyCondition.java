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
 * Matches unless a property says {@code false}. Unlike
 * {@code @ConditionalOnBooleanProperty} it binds the property, so that a value which is
 * no boolean stops the start instead of switching something off without a word.
 */
abstract class BooleanPropertyCondition extends SpringBootCondition {

	private final String key;

	/**
	 * A condition.
	 * @param key what follows the prefix, {@code grpc.server} or Spring Boot's
	 */
	BooleanPropertyCondition(String key) {
		this.key = key;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(ServerMode.of(context.getClassLoader()).property(this.key), context);
	}

	static ConditionOutcome outcome(String property, ConditionContext context) {
		Binder binder = Binder.get(context.getEnvironment());
		// nothing converts to no boolean at all, as if nobody had set the property
		if (!binder.bind(property, String.class).map(StringUtils::hasText).orElse(true)) {
			throw AllowedValues.invalid(property, "");
		}
		boolean enabled = binder.bind(property, Boolean.class).orElse(true);
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
					? outcome(ServerMode.SPRING_BOOT_PREFIX + ".enabled", context) : ours;
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

	/** {@code validation.enabled}. */
	static class OnValidationEnabled extends BooleanPropertyCondition {

		OnValidationEnabled() {
			super("validation.enabled");
		}

	}

}
