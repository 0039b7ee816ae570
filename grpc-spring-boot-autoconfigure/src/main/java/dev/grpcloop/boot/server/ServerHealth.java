package dev.grpcloop.boot.server;

import java.util.Set;

/**
 * What the clients of a server are told of its health. The lifecycle of the server calls
 * it, one method after the other.
 */
public interface ServerHealth {

	/** Tells nothing. */
	ServerHealth NONE = new ServerHealth() {
	};

	/**
	 * The server is about to start: it does not listen yet. If it cannot, nothing is said
	 * of that.
	 * @param services the names of all the services that it serves
	 */
	default void starting(Set<String> services) {
	}

	/**
	 * The server has started.
	 */
	default void started() {
	}

	/**
	 * The server is about to stop: from now on clients are told to look elsewhere. It
	 * still serves them.
	 * @param forGood whether it will not start again
	 */
	default void stopping(boolean forGood) {
	}

}
