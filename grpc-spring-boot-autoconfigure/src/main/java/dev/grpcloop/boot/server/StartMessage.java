package dev.grpcloop.boot.server;

import java.util.Locale;
import java.util.stream.Collectors;

import dev.grpcloop.engine.EventLoopServer;

/**
 * The one line that the log says about a server that has started.
 */
final class StartMessage {

	private StartMessage() {
	}

	static String of(ServerRun run) {
		EventLoopServer server = run.server();
		return "gRPC server started on %s with backend %s (%s), workers %d, service code on %s, %s".formatted(
				ServerAddress.format(server.getListenSockets()), server.getBackend().name().toLowerCase(Locale.ROOT),
				server.getBackendReason(), server.getWorkers(), run.executor(), services(server));
	}

	private static String services(EventLoopServer server) {
		String names = server.getServices()
			.stream()
			.map((service) -> service.getServiceDescriptor().getName())
			.sorted()
			.collect(Collectors.joining(", "));
		return names.isEmpty() ? "no services: the application has no BindableService bean" : "services " + names;
	}

}
