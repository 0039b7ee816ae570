package dev.grpcloop.engine;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import dev.grpcloop.engine.http2.ConnectionOwner;
import dev.grpcloop.engine.http2.Http2Connection;

/**
 * The open connections of a server. A connection that is accepted while the server shuts
 * down is told at once.
 */
final class Connections implements ConnectionOwner {

	private final Set<Http2Connection> open = ConcurrentHashMap.newKeySet();

	private final Runnable whenEmpty;

	private volatile boolean shutdown;

	private volatile boolean shutdownNow;

	Connections(Runnable whenEmpty) {
		this.whenEmpty = whenEmpty;
	}

	@Override
	public void opened(Http2Connection connection) {
		this.open.add(connection);
		if (this.shutdownNow) {
			connection.shutdownNow();
		}
		else if (this.shutdown) {
			connection.shutdown();
		}
	}

	@Override
	public void closed(Http2Connection connection) {
		this.open.remove(connection);
		if (this.shutdown && this.open.isEmpty()) {
			this.whenEmpty.run();
		}
	}

	/**
	 * The clients of the connections that are open at the moment.
	 */
	List<SocketAddress> remoteAddresses() {
		List<SocketAddress> addresses = new ArrayList<>();
		for (Http2Connection connection : this.open) {
			SocketAddress address = connection.remoteAddress();
			if (address != null) {
				addresses.add(address);
			}
		}
		return addresses;
	}

	boolean isEmpty() {
		return this.open.isEmpty();
	}

	void shutdown() {
		this.shutdown = true;
		tellAll(Http2Connection::shutdown);
	}

	void shutdownNow() {
		this.shutdown = true;
		this.shutdownNow = true;
		tellAll(Http2Connection::shutdownNow);
	}

	private void tellAll(Consumer<Http2Connection> message) {
		for (Http2Connection connection : this.open) {
			try {
				message.accept(connection);
			}
			catch (RejectedExecutionException ex) {
				// its loop has ended, and the connection before it
			}
		}
	}

}
