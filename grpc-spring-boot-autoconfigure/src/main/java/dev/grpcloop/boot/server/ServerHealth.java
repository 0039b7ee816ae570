package dev.grpcloop.boot.server;

import io.grpc.BindableService;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a server are told of its health.
 */
public interface ServerHealth {

	/** Tells nothing. */
	ServerHealth NONE = new ServerHealth() {
	};

	/**
	 * Returns the service that clients ask. It is served beside the services of the
	 * application, unless one of them does the same.
	 * @return the service, or {@code null} if there is none
	 */
	default @Nullable BindableService service() {
		return null;
	}

	/**
	 * The server is about to start.
	 */
	default void starting() {
	}

	/**
	 * The server is about to stop: from now on clients are told to look elsewhere. It
	 * still serves them.
	 * @param forGood whether it will not start again
	 */
	default void stopping(boolean forGood) {
	}

}
