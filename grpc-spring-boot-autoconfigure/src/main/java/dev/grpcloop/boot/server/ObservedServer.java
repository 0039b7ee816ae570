package dev.grpcloop.boot.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.grpcloop.engine.EventLoopServer;

/**
 * A server that runs or drains, for those who show it. Each method tells how things are
 * when it is called.
 */
public final class ObservedServer {

	private final ServerRun run;

	private final boolean draining;

	ObservedServer(ServerRun run, boolean draining) {
		this.run = run;
		this.draining = draining;
	}

	/**
	 * Whether the server was told to stop, and has calls or clients left.
	 * @return whether it drains
	 */
	public boolean isDraining() {
		return this.draining;
	}

	/**
	 * Whether the server no longer listens where it did when it was started, though
	 * nobody has told it to stop.
	 * @return whether an address is lost
	 */
	public boolean isBindLost() {
		return !this.draining && addresses().size() < bound().size();
	}

	/**
	 * Returns the server itself.
	 * @return the server
	 */
	public EventLoopServer server() {
		return this.run.server();
	}

	/**
	 * Returns the addresses that the server listens on.
	 * @return the addresses as people write them
	 */
	public List<String> addresses() {
		return ServerAddress.list(this.run.server().getListenSockets());
	}

	/**
	 * Returns the addresses that the server has listened on when it was started.
	 * @return the addresses as people write them
	 */
	public List<String> bound() {
		return this.run.startOf().addresses();
	}

	/**
	 * Returns the addresses of the clients.
	 * @return one for each open connection, without the port
	 */
	public List<String> clients() {
		return this.run.server().getClientAddresses().stream().map(ServerAddress::formatHost).toList();
	}

	/**
	 * Says where service code runs that does not run on the event loops, and why.
	 * @return for example {@code virtual threads (grpc.server.executor.mode is virtual)}
	 */
	public String executor() {
		return this.run.executor().toString();
	}

	/**
	 * Returns the limits of the executor.
	 * @return by the names of the properties; none if it has none
	 */
	public Map<String, Integer> executorLimits() {
		return this.run.executor().limits();
	}

	/**
	 * Returns when the server was started.
	 * @return the time
	 */
	public Instant startedAt() {
		return this.run.startOf().time();
	}

	/**
	 * Returns the name under which a property was read.
	 * @param key what follows the prefix
	 * @return the whole name
	 */
	public String property(String key) {
		return this.run.mode().property(key);
	}

	/**
	 * The start of a server.
	 *
	 * @param time when it was
	 * @param addresses where the server listened
	 */
	record Start(Instant time, List<String> addresses) {
	}

}
