package dev.grpcloop.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless a property says {@code false}. Unlike
 * {@code @ConditionalOnBooleanProperty} it binds the property, so that a value which is
 * no boolean stops the start instead of switching something off without a word.
 */
abstract class BooleanPropertyCondition extends SpringBootCondition {

	private final String property;

	BooleanPropertyCondition(String property) {
		this.property = property;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean enabled = Binder.get(context.getEnvironment()).bind(this.property, Boolean.class).orElse(true);
		return new ConditionOutcome(enabled,
				ConditionMessage.forCondition("gRPC server").because(this.property + " is " + enabled));
	}

	/** {@code grpc.server.enabled}. */
	static class OnServerEnabled extends BooleanPropertyCondition {

		OnServerEnabled() {
			super("grpc.server.enabled");
		}

	}

	/** {@code grpc.server.health.enabled}. */
	static class OnHealthEnabled extends BooleanPropertyCondition {

		OnHealthEnabled() {
			super("grpc.server.health.enabled");
		}

	}

	/** {@code grpc.server.metrics.enabled}. */
	static class OnMetricsEnabled extends BooleanPropertyCondition {

		OnMetricsEnabled() {
			super("grpc.server.metrics.enabled");
		}

	}

}
