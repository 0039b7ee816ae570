package dev.grpcloop.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says what a property of ours may be where its value does not even have the right form.
 * Spring Boot's own analysis names the Java types instead.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class GrpcServerPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		String allowed = AllowedValues.of(cause.getName().toString());
		if (property == null || allowed == null) {
			return null;
		}
		String origin = (property.getOrigin() != null) ? " (from " + property.getOrigin() + ")" : "";
		return new FailureAnalysis("Property %s has the value '%s'%s, which is not allowed.".formatted(cause.getName(),
				property.getValue(), origin), "Set it to " + allowed + ".", cause);
	}

}
