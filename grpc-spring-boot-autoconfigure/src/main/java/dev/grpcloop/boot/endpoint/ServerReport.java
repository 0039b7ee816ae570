package dev.grpcloop.boot.endpoint;

import java.time.Instant;
import java.util.List;

import dev.grpcloop.boot.server.ObservedServer;
import dev.grpcloop.boot.statistics.ReasonNames;
import dev.grpcloop.engine.EventLoopServer;
import org.jspecify.annotations.Nullable;

/**
 * The server as a whole.
 *
 * @param state {@code running}, {@code draining} or {@code stopped}; with the last one,
 * nothing else is known
 * @param addresses where it listens
 * @param port the first TCP port it listens on
 * @param backend how its event loops talk to the operating system
 * @param backendReason why so
 * @param workers how many event loops it has
 * @param executor where service code runs, and why
 * @param startedAt when it was started
 */
record ServerReport(String state, List<String> addresses, @Nullable Integer port, @Nullable String backend,
		@Nullable String backendReason, @Nullable Integer workers, @Nullable String executor,
		@Nullable Instant startedAt) {

	static ServerReport of(@Nullable ObservedServer observed) {
		if (observed == null) {
			return new ServerReport("stopped", List.of(), null, null, null, null, null, null);
		}
		EventLoopServer server = observed.server();
		int port = server.getPort();
		return new ServerReport(observed.isDraining() ? "draining" : "running", observed.addresses(),
				(port > 0) ? port : null, ReasonNames.of(server.getBackend()), server.getBackendReason(),
				server.getWorkers(), observed.executor(), observed.startedAt());
	}

}
