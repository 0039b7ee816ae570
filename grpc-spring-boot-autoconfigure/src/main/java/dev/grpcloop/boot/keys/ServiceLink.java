package dev.grpcloop.boot.keys;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * An environment variable that Kubernetes sets for a Service of the same namespace, as
 * Docker did for a linked container. For a Service of the name {@code grpc-server} these
 * are {@code GRPC_SERVER_PORT=tcp://10.0.0.1:9090}, {@code GRPC_SERVER_SERVICE_HOST},
 * {@code GRPC_SERVER_PORT_9090_TCP} and others: Spring Boot takes them for our
 * properties.
 *
 * @param variable the name of the variable
 * @param service the name of the Service that it was probably made for
 */
public record ServiceLink(String variable, String service) {

	private static final Pattern NAME = Pattern
		.compile("(.+?)_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

	private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*", Pattern.CASE_INSENSITIVE);

	/**
	 * Recognises such a variable.
	 * @param property a property and where its value comes from
	 * @return what it was made from; nothing if it is a value like any other
	 */
	public static Optional<ServiceLink> of(ConfigurationProperty property) {
		if (!(property.getOrigin() instanceof PropertySourceOrigin origin)
				|| !(origin.getPropertySource() instanceof SystemEnvironmentPropertySource)) {
			return Optional.empty();
		}
		String variable = origin.getPropertyName();
		Matcher name = NAME.matcher(variable);
		// a port of the application's own has such a name too, but no such value
		if (!name.matches() || name.group(2).equals("PORT") && !isAddress(property.getValue())) {
			return Optional.empty();
		}
		return Optional.of(new ServiceLink(variable, name.group(1).toLowerCase(Locale.ROOT).replace('_', '-')));
	}

	static boolean isAddress(@Nullable Object value) {
		return value != null && ADDRESS.matcher(value.toString()).matches();
	}

}
