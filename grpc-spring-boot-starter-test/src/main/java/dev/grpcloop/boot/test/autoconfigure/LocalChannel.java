package dev.grpcloop.boot.test.autoconfigure;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A channel to whichever server the context runs when a call begins. It can be made
 * before the server is, and goes on to the next server when one is stopped and started.
 * <p>
 * All tests that share the context share the channel, so that a test which shuts it down
 * must not take it from the others: the next call opens it again. Only the context closes
 * it for good.
 */
final class LocalChannel extends ManagedChannel {

	private final RunningServers servers;

	/** All whose calls may still run. */
	private final List<ManagedChannel> opened = new ArrayList<>();

	private @Nullable ManagedChannel current;

	private @Nullable Server target;

	private boolean closed;

	LocalChannel(RunningServers servers) {
		this.servers = servers;
	}

	@Override
	public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
		return open().newCall(method, options);
	}

	@Override
	public String authority() {
		return open().authority();
	}

	private synchronized ManagedChannel open() {
		if (this.closed) {
			throw new IllegalStateException("The application context of this test was closed, and the clients that it "
					+ "had injected with it. Is one of them kept in a static field, or by a test whose context "
					+ "@DirtiesContext has closed?");
		}
		Server server = this.servers.preferred();
		ManagedChannel channel = this.current;
		if (channel == null || channel.isShutdown() || this.target != server) {
			shutdown();
			channel = builder(RunningServers.address(server)).build();
			this.opened.removeIf(ManagedChannel::isTerminated);
			this.opened.add(channel);
			this.current = channel;
			this.target = server;
		}
		return channel;
	}

	private static ManagedChannelBuilder<?> builder(SocketAddress address) {
		if (address instanceof InProcessSocketAddress) {
			return InProcessChannelBuilder.forAddress(address);
		}
		if (address instanceof InetSocketAddress internet) {
			return Grpc.newChannelBuilderForAddress(host(internet), internet.getPort(),
					InsecureChannelCredentials.create());
		}
		throw new IllegalStateException("The gRPC server of this test listens on " + address + ", to which no client "
				+ "can be injected. Let it listen on a TCP port, or use @AutoConfigureTestGrpcTransport.");
	}

	private static String host(InetSocketAddress address) {
		return address.getAddress().isAnyLocalAddress() ? "localhost" : address.getAddress().getHostAddress();
	}

	@Override
	public synchronized ManagedChannel shutdown() {
		if (this.current != null) {
			this.current.shutdown();
		}
		return this;
	}

	@Override
	public synchronized ManagedChannel shutdownNow() {
		if (this.current != null) {
			this.current.shutdownNow();
		}
		return this;
	}

	@Override
	public synchronized boolean isShutdown() {
		return (this.current != null) ? this.current.isShutdown() : this.closed;
	}

	@Override
	public synchronized boolean isTerminated() {
		return (this.current != null) ? this.current.isTerminated() : this.closed;
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
		ManagedChannel channel;
		synchronized (this) {
			channel = this.current;
		}
		return (channel != null) ? channel.awaitTermination(timeout, unit) : isTerminated();
	}

	/**
	 * Ends all calls and allows no further ones.
	 */
	synchronized void close() {
		this.closed = true;
		this.opened.forEach(ManagedChannel::shutdownNow);
	}

}
