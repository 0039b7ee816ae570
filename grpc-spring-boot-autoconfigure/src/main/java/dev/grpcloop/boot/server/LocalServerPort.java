package dev.grpcloop.boot.server;

import java.util.HashMap;
import java.util.Map;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;

/**
 * The port that the server listens on, as the property {@code local.grpc.server.port} of
 * a context and its parents.
 */
final class LocalServerPort {

	private static final String PROPERTY = "local.grpc.server.port";

	/** Spring Boot keeps the ports of its web servers in the source of this name. */
	private static final String SOURCE = "server.ports";

	private LocalServerPort() {
	}

	static void publish(ApplicationContext context, int port) {
		if (context instanceof ConfigurableApplicationContext configurable) {
			ports(configurable.getEnvironment().getPropertySources()).put(PROPERTY, port);
		}
		if (context.getParent() != null) {
			publish(context.getParent(), port);
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> ports(MutablePropertySources sources) {
		PropertySource<?> source = sources.get(SOURCE);
		if (source == null) {
			source = new MapPropertySource(SOURCE, new HashMap<>());
			sources.addFirst(source);
		}
		return (Map<String, Object>) source.getSource();
	}

}
