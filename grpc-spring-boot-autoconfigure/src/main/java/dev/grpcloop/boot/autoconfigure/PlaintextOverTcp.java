package dev.grpcloop.boot.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.grpcloop.boot.server.ServerMode;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;

/**
 * Refuses properties that ask for anything but plaintext over TCP, which is all that the
 * server speaks. Under both prefixes: TLS that was asked for in the wrong place was asked
 * for.
 */
final class PlaintextOverTcp {

	private static final List<String> TLS_KEYS = List.of("ssl.bundle", "ssl.enabled", "ssl.client-auth", "ssl.secure");

	private static final String TRANSPORT_KEY = "netty.transport";

	private static final String SOCKET_KEY = "netty.domain-socket-path";

	private PlaintextOverTcp() {
	}

	/**
	 * Checks what was asked for.
	 * @param environment the properties
	 * @param mode which server could do it
	 * @throws FailureAnalyzedException if it is something that the server does not do
	 */
	static void check(Environment environment, ServerMode mode) {
		Binder binder = Binder.get(environment);
		Stream.of(ServerMode.PREFIX, ServerMode.SPRING_BOOT_PREFIX).forEach((prefix) -> {
			checkTls(binder, prefix + ".", mode);
			checkSocket(binder, prefix + ".", mode);
		});
	}

	private static void checkTls(Binder binder, String prefix, ServerMode mode) {
		boolean refused = binder.bind(prefix + "ssl.enabled", Boolean.class).map((enabled) -> !enabled).orElse(false);
		if (refused) {
			return;
		}
		for (String key : TLS_KEYS) {
			String value = binder.bind(prefix + key, String.class).orElse(null);
			if (value != null) {
				throw new FailureAnalyzedException(
						prefix + key + " is '" + value + "', but the event-loop server does not serve TLS: "
								+ "its clients would have to speak plaintext.",
						"Set " + prefix + "ssl.enabled=false and end TLS in front of the server" + orSpringBoots(mode));
			}
		}
	}

	private static void checkSocket(Binder binder, String prefix, ServerMode mode) {
		String transport = binder.bind(prefix + TRANSPORT_KEY, String.class).orElse("").toLowerCase(Locale.ROOT);
		if (transport.equals("tcp")) {
			return;
		}
		String path = binder.bind(prefix + SOCKET_KEY, String.class).orElse("");
		if (!transport.isEmpty() || !path.isEmpty()) {
			String key = prefix + (path.isEmpty() ? TRANSPORT_KEY : SOCKET_KEY);
			throw new FailureAnalyzedException(
					key + " is '" + (path.isEmpty() ? transport : path)
							+ "', but the event-loop server listens on TCP ports only.",
					"Remove the property, or set " + prefix + TRANSPORT_KEY + "=tcp" + orSpringBoots(mode));
		}
	}

	private static String orSpringBoots(ServerMode mode) {
		return (mode == ServerMode.BESIDE_SPRING_BOOT)
				? ", or set grpc.server.enabled=false to run Spring Boot's own server." : ".";
	}

}
