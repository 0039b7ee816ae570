package dev.grpcloop.interop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import dev.grpcloop.engine.EventLoopServer;
import dev.grpcloop.engine.EventLoopServerBuilder;
import io.grpc.ServerInterceptors;
import io.grpc.testing.integration.TestServiceImpl;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server with grpc-java's test service. But for what a test changes, it has the
 * defaults of the engine.
 */
final class InteropServer {

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

	private final EventLoopServer server;

	InteropServer(Mode mode, UnaryOperator<EventLoopServerBuilder> customizer) throws IOException {
		InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
		this.server = customizer.apply(mode.apply(EventLoopServerBuilder.forAddress(address)))
			.addService(ServerInterceptors.intercept(new TestServiceImpl(this.timer), TestServiceImpl.interceptors()))
			.build()
			.start();
	}

	int port() {
		return this.server.getPort();
	}

	void stop() throws InterruptedException {
		this.server.shutdownNow();
		this.timer.shutdownNow();
		assertThat(this.server.awaitTermination(10, TimeUnit.SECONDS)).as("the server ends").isTrue();
	}

}
