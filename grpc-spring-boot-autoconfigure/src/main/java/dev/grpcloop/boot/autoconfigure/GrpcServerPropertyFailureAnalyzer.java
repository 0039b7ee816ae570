package dev.grpcloop.boot.autoconfigure;

import java.util.List;

import dev.grpcloop.boot.keys.ServiceLink;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Says what a property of ours may be where its value does not even have the right form.
 * Spring Boot's own analysis names the Java types instead. A value that Kubernetes has
 * set gets an explanation of its own.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class GrpcServerPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("grpc.server");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		ServiceLink link = (property != null) ? ServiceLink.of(property).orElse(null) : null;
		if (link != null && OURS.isAncestorOf(cause.getName())) {
			return new FailureAnalysis(whatHappened(link, property), remedies(link, cause.getName()), cause);
		}
		ConfigurationPropertyName name = (property != null) ? property.getName() : cause.getName();
		List<String> below = AllowedValues.below(name.toString());
		if (!below.isEmpty()) {
			return new FailureAnalysis(
					"%s%s is no property but the first part of some, and cannot have a value.".formatted(name,
							from(property)),
					"Write the properties below it, or remove it also if nothing is below it. There are: "
							+ String.join(", ", below) + ".",
					cause);
		}
		String allowed = AllowedValues.of(cause.getName().toString());
		if (property == null || allowed == null) {
			return null;
		}
		return new FailureAnalysis("Property %s has the value '%s'%s, which is not allowed.".formatted(cause.getName(),
				property.getValue(), from(property)), "Set it to " + allowed + ".", cause);
	}

	private static String from(@Nullable ConfigurationProperty property) {
		return (property != null && property.getOrigin() != null) ? " (from " + property.getOrigin() + ")" : "";
	}

	private static String whatHappened(ServiceLink link, ConfigurationProperty property) {
		return """
				The environment variable %s has the value '%s'. Spring Boot takes it for the property %s. \
				Kubernetes has set it for containers of this pod, because there is a Service of the name '%s'."""
			.formatted(link.variable(), property.getValue(), property.getName(), link.service());
	}

	private static String remedies(ServiceLink link, ConfigurationPropertyName name) {
		return """
				Do one of these:
				    - set enableServiceLinks: false in the specification of the pod
				    - give the Service another name than '%s'
				    - set %s where it counts for more than an environment variable: \
				as an argument of the application, or as a system property""".formatted(link.service(), name);
	}

}
