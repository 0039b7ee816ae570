package dev.grpcloop.boot.test.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.grpcloop.boot.server.ServerMode;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Sets properties of the server for a test. Contexts with equal properties are one in the
 * cache.
 *
 * @param randomPort whether the server takes a free port instead of the application's;
 * what the test itself sets counts for more
 * @param serverFactory whether the servers of the application are started; {@code null}
 * leaves that to the application
 * @param channelFactory whether Spring Boot's client module makes channels; {@code null}
 * leaves that to the application
 */
record GrpcTestContextCustomizer(boolean randomPort, @Nullable Boolean serverFactory,
		@Nullable Boolean channelFactory) implements ContextCustomizer {

	private static final String PORT_SOURCE = "grpcLoopTestPort";

	private static final String TRANSPORT_SOURCE = "grpcLoopTestTransport";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		MutablePropertySources sources = context.getEnvironment().getPropertySources();
		ServerMode mode = ServerMode.of(context.getClassLoader());
		if (this.randomPort) {
			addAfterThoseOfTheTest(sources, new MapPropertySource(PORT_SOURCE, Map.of(mode.property("port"), 0)));
		}
		Map<String, Object> transport = new LinkedHashMap<>();
		if (this.serverFactory != null) {
			transport.put(mode.property("factory.enabled"), this.serverFactory);
		}
		if (this.channelFactory != null) {
			transport.put("spring.grpc.client.channelfactory.enabled", this.channelFactory);
		}
		if (!transport.isEmpty()) {
			sources.addFirst(new MapPropertySource(TRANSPORT_SOURCE, transport));
		}
	}

	/**
	 * Before the environment of the process, whose {@code GRPC_SERVER_PORT} may be of
	 * another's making, and before all files of the application.
	 */
	private static void addAfterThoseOfTheTest(MutablePropertySources sources, MapPropertySource source) {
		if (sources.contains(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
			sources.addBefore(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, source);
		}
		else {
			sources.addLast(source);
		}
	}

}
