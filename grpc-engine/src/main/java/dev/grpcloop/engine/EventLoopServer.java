package dev.grpcloop.engine;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;

/**
 * A gRPC server on Netty event loops.
 */
public final class EventLoopServer extends Server {

	EventLoopServer(EventLoopServerBuilder builder) {
	}

	@Override
	public EventLoopServer start() throws IOException {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns the backend in use.
	 * @return never {@link Backend#AUTO}
	 */
	public Backend getBackend() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns why this backend is in use.
	 * @return one sentence
	 */
	public String getBackendReason() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns the number of event loops.
	 * @return at least 1
	 */
	public int getWorkers() {
		throw new UnsupportedOperationException();
	}

	@Override
	public int getPort() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<? extends SocketAddress> getListenSockets() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<ServerServiceDefinition> getServices() {
		throw new UnsupportedOperationException();
	}

	@Override
	public EventLoopServer shutdown() {
		throw new UnsupportedOperationException();
	}

	@Override
	public EventLoopServer shutdownNow() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isShutdown() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean isTerminated() {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
		throw new UnsupportedOperationException();
	}

	@Override
	public void awaitTermination() throws InterruptedException {
		throw new UnsupportedOperationException();
	}

}
