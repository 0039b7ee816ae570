package dev.grpcloop.boot.test.autoconfigure;

import java.net.SocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.grpc.Server;
import io.grpc.inprocess.InProcessSocketAddress;

import org.springframework.context.ApplicationListener;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;

/**
 * The servers that an application context has started, each until its lifecycle starts
 * the next one. May be used by any thread.
 */
final class RunningServers implements ApplicationListener<GrpcServerStartedEvent> {

	private final Map<GrpcServerLifecycle, Server> servers = new ConcurrentHashMap<>();

	@Override
	public void onApplicationEvent(GrpcServerStartedEvent event) {
		this.servers.put(event.getSource(), event.getServer());
	}

	/**
	 * Chooses the server that the clients of a test talk to: the one of the test
	 * transport, else the one that listens to the network, else one within the process.
	 * @return the server
	 * @throws IllegalStateException if none was started
	 */
	Server preferred() {
		return this.servers.entrySet()
			.stream()
			.min(Comparator.comparingInt((entry) -> rank(entry.getKey(), entry.getValue())))
			.map(Map.Entry::getValue)
			.orElseThrow(() -> new IllegalStateException("No gRPC server was started in the application context of "
					+ "this test, so its clients have nothing to call. Use @SpringBootTest with the server's "
					+ "auto-configuration, add @AutoConfigureTestGrpcTransport, or use @GrpcServiceTest."));
	}

	/**
	 * Returns all servers.
	 * @return in no particular order
	 */
	List<Server> all() {
		return List.copyOf(this.servers.values());
	}

	private static int rank(GrpcServerLifecycle lifecycle, Server server) {
		if (!(address(server) instanceof InProcessSocketAddress)) {
			return 1;
		}
		return isNamed(lifecycle.getFactory()) ? 2 : 0;
	}

	/** Neither our test transport nor Spring Boot's, which has a type of its own. */
	private static boolean isNamed(GrpcServerFactory factory) {
		return factory instanceof InProcessGrpcServerFactory && !(factory instanceof TestGrpcServerFactory);
	}

	/**
	 * Returns the first of the addresses that a server listens on.
	 * @param server a server
	 * @return its address
	 */
	static SocketAddress address(Server server) {
		List<? extends SocketAddress> addresses = server.getListenSockets();
		if (addresses.isEmpty()) {
			throw new IllegalStateException("The gRPC server of this test does not tell an address: " + server);
		}
		return addresses.get(0);
	}

}
