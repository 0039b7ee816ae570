package dev.grpcloop.boot.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The keys that an application has written: in files, arguments, system properties,
 * tests. Environment variables are not listed, since they are the machine's as much as
 * the application's: Kubernetes fills them with {@code GRPC_SERVER_*} for a Service of
 * that name. But it is known whether one stands for a given key.
 */
final class SetKeys {

	private final ConfigurableEnvironment environment;

	private final List<SetKey> written = new ArrayList<>();

	private final List<ConfigurationPropertySource> variables = new ArrayList<>();

	SetKeys(ConfigurableEnvironment environment) {
		this.environment = environment;
		environment.getPropertySources().forEach(this::collect);
	}

	private void collect(PropertySource<?> source) {
		if (source instanceof CompositePropertySource composite) {
			composite.getPropertySources().forEach(this::collect);
		}
		else if (source.getSource() instanceof ConfigurableEnvironment nested) {
			nested.getPropertySources().forEach(this::collect);
		}
		else if (source instanceof SystemEnvironmentPropertySource) {
			ConfigurationPropertySource adapted = ConfigurationPropertySource.from(source);
			if (adapted != null) {
				this.variables.add(adapted);
			}
		}
		else if (source instanceof EnumerablePropertySource<?> enumerable
				&& !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source)) {
			for (String name : enumerable.getPropertyNames()) {
				if (mayConcernGrpc(name)) {
					this.written.add(new SetKey(name, Spelling.uniform(name), enumerable));
				}
			}
		}
	}

	/** Leaves most of an application's keys out early. */
	private static boolean mayConcernGrpc(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return (lower.startsWith("g") || lower.startsWith("spring.g")) && lower.indexOf('.') > 0;
	}

	/**
	 * Lists the keys.
	 * @return them in the order of precedence of their sources
	 */
	List<SetKey> written() {
		return this.written;
	}

	/**
	 * Looks for a former key, in environment variables too.
	 * @param key the key
	 * @return the key as it was written, and where
	 */
	Optional<String> find(FormerKey key) {
		return this.written.stream()
			.filter(key::matches)
			.findFirst()
			.map(SetKey::toString)
			.or(() -> variable(ConfigurationPropertyName.of(key.root())));
	}

	private Optional<String> variable(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : this.variables) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null && !ServiceLink.isAddress(property.getValue())) {
				return Optional.of(name + " (" + property.getOrigin() + ")");
			}
		}
		return Optional.empty();
	}

	/**
	 * Gives a value.
	 * @param name the key in canonical form
	 * @return its value, placeholders resolved
	 */
	Optional<String> value(String name) {
		return Optional.ofNullable(Binder.get(this.environment).bind(name, String.class).orElse(null));
	}

}
