package dev.grpcloop.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server on a free port of the loopback address, and stock clients for it.
 */
final class TestServer implements AutoCloseable {

	static final int MIB = 1024 * 1024;

	private final EventLoopServer server;

	private final List<ManagedChannel> channels = new ArrayList<>();

	private TestServer(EventLoopServer server) {
		this.server = server;
	}

	/**
	 * Starts a server on one event loop.
	 */
	@SafeVarargs
	static TestServer start(Consumer<EventLoopServerBuilder>... customizers) throws IOException {
		EventLoopServerBuilder builder = EventLoopServerBuilder
			.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
			.workers(1);
		for (Consumer<EventLoopServerBuilder> customizer : customizers) {
			customizer.accept(builder);
		}
		return new TestServer(builder.build().start());
	}

	/**
	 * Starts a server with the echo service.
	 */
	static TestServer echo(Consumer<EventLoopServerBuilder> customizer) throws IOException {
		return start(customizer, (builder) -> builder.addService(new EchoService()));
	}

	EventLoopServer server() {
		return this.server;
	}

	/**
	 * Returns a client with one connection, the same one every time.
	 */
	ManagedChannel channel() {
		return this.channels.isEmpty() ? newChannel(UnaryOperator.identity()) : this.channels.get(0);
	}

	ManagedChannel newChannel(UnaryOperator<NettyChannelBuilder> customizer) {
		ManagedChannel channel = customizer
			.apply(NettyChannelBuilder
				.forAddress(InetAddress.getLoopbackAddress().getHostAddress(), this.server.getPort())
				.usePlaintext()
				.maxInboundMessageSize(16 * MIB))
			.build();
		this.channels.add(channel);
		return channel;
	}

	/**
	 * Returns a client that reaches the server through another port.
	 */
	ManagedChannel newChannel(int port) {
		ManagedChannel channel = NettyChannelBuilder.forAddress(InetAddress.getLoopbackAddress().getHostAddress(), port)
			.usePlaintext()
			.maxInboundMessageSize(16 * MIB)
			.build();
		this.channels.add(channel);
		return channel;
	}

	EchoGrpc.EchoBlockingStub blocking() {
		return EchoGrpc.newBlockingStub(channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
	}

	EchoGrpc.EchoStub async() {
		return EchoGrpc.newStub(channel());
	}

	@Override
	public void close() throws InterruptedException {
		for (ManagedChannel channel : this.channels) {
			channel.shutdownNow();
		}
		for (ManagedChannel channel : this.channels) {
			assertThat(channel.awaitTermination(10, TimeUnit.SECONDS)).as("the client ends").isTrue();
		}
		this.server.shutdownNow();
		assertThat(this.server.awaitTermination(10, TimeUnit.SECONDS)).as("the server ends").isTrue();
		// service code that runs on gives back what it holds when it returns
		Eventually
			.asserted(() -> assertThat(this.server.getBufferedBytes()).as("bytes that were not given back").isZero());
	}

}
