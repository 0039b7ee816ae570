package dev.grpcloop.boot.server;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.grpcloop.engine.BackendUnavailableException;
import dev.grpcloop.engine.transport.Transport;
import dev.grpcloop.engine.transport.TransportSelection;

import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * What to say when the backend that was asked for is not there.
 */
final class BackendFailure {

	private BackendFailure() {
	}

	static FailureAnalyzedException of(BackendUnavailableException ex) {
		String backend = ex.getBackend().name().toLowerCase(Locale.ROOT);
		Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
		String available = Arrays.stream(Transport.values())
			.filter((transport) -> transport.unavailabilityCause() == null)
			.map(Transport::displayName)
			.collect(Collectors.joining(", "));
		return new FailureAnalyzedException(
				"grpc.server.backend is " + backend + ", which is not available on this machine: "
						+ TransportSelection.rootMessage(cause),
				"Set grpc.server.backend to auto, or to one that is available here: " + available
						+ ". A native backend needs its netty-transport-native jar for this platform on the class path.",
				ex);
	}

}
