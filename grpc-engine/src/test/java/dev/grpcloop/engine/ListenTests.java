package dev.grpcloop.engine;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.grpcloop.engine.testproto.EchoGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Addresses and ports (case B45).
 */
class ListenTests {

	private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void portZeroTakesAFreePortAndTellsWhich(Backend backend) throws Exception {
		EventLoopServer server = EventLoopServerBuilder.forAddress(LOOPBACK)
			.workers(1)
			.backend(backend)
			.addService(new EchoService())
			.build();
		assertThat(server.getPort()).isEqualTo(-1);
		assertThat(server.getListenSockets()).isEmpty();
		server.start();
		int port = server.getPort();
		assertThat(port).isPositive();
		assertThat(server.getListenSockets()).singleElement().isEqualTo(new InetSocketAddress("127.0.0.1", port));
		assertThat(server).asString().contains(Integer.toString(port));
		echo("127.0.0.1", port);
		server.shutdown().awaitTermination();
		assertThat(server.getPort()).isEqualTo(-1);
		assertThat(server.getListenSockets()).isEmpty();
		assertRefused("127.0.0.1", port);
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void aPortThatIsTakenIsNamedAndNothingIsLeft(Backend backend) throws Exception {
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			InetSocketAddress address = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
			EventLoopServer server = EventLoopServerBuilder.forAddress(address).workers(2).backend(backend).build();
			assertThatExceptionOfType(IOException.class).isThrownBy(server::start)
				.withMessageContaining("127.0.0.1:" + taken.getLocalPort())
				.satisfies((ex) -> assertThat(ex.getCause()).isNotNull());
			assertThat(server.isShutdown()).isTrue();
			assertThat(server.getPort()).isEqualTo(-1);
			assertThat(server.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
			EngineThreads.assertNoneLeft();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void ifOneOfSeveralPortsIsTakenTheOthersAreFreedAgain(Backend backend) throws Exception {
		int free = freePort();
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			EventLoopServer server = EventLoopServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", free))
				.addListenAddress(new InetSocketAddress("127.0.0.1", taken.getLocalPort()))
				.workers(1)
				.backend(backend)
				.build();
			assertThatExceptionOfType(IOException.class).isThrownBy(server::start)
				.withMessageContaining(":" + taken.getLocalPort());
			assertThat(server.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
			assertRefused("127.0.0.1", free);
			EngineThreads.assertNoneLeft();
		}
	}

	@Test
	void aNameThatCannotBeResolvedIsNamed() throws Exception {
		EventLoopServer server = EventLoopServerBuilder
			.forAddress(InetSocketAddress.createUnresolved("no-such-host.invalid", 0))
			.workers(1)
			.build();
		assertThatExceptionOfType(IOException.class).isThrownBy(server::start)
			.withMessageContaining("no-such-host.invalid");
		assertThat(server.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		EngineThreads.assertNoneLeft();
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void severalAddressesAreServed(Backend backend) throws Exception {
		EventLoopServer server = EventLoopServerBuilder.forAddress(LOOPBACK)
			.addListenAddress(LOOPBACK)
			.workers(1)
			.backend(backend)
			.addService(new EchoService())
			.build()
			.start();
		List<Integer> ports = server.getListenSockets()
			.stream()
			.map((address) -> ((InetSocketAddress) address).getPort())
			.toList();
		assertThat(ports).hasSize(2).doesNotHaveDuplicates().doesNotContain(0);
		assertThat(server.getPort()).isEqualTo(ports.get(0));
		for (int port : ports) {
			echo("127.0.0.1", port);
		}
		server.shutdownNow().awaitTermination();
		for (int port : ports) {
			assertRefused("127.0.0.1", port);
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void oneAddressMeansThatAddressAlone() throws Exception {
		// on Linux all of 127.0.0.0/8 is the loopback interface
		EventLoopServer server = EventLoopServerBuilder.forAddress(LOOPBACK)
			.workers(1)
			.addService(new EchoService())
			.build()
			.start();
		echo("127.0.0.1", server.getPort());
		assertRefused("127.0.0.2", server.getPort());
		server.shutdownNow().awaitTermination();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aPortAloneMeansEveryAddress() throws Exception {
		EventLoopServer server = EventLoopServerBuilder.forPort(0)
			.workers(1)
			.addService(new EchoService())
			.build()
			.start();
		echo("127.0.0.1", server.getPort());
		echo("127.0.0.2", server.getPort());
		server.shutdownNow().awaitTermination();
	}

	@ParameterizedTest
	@MethodSource("dev.grpcloop.engine.Variant#backends")
	void aPortCanBeTakenAgainAtOnce(Backend backend) throws Exception {
		int port = freePort();
		for (int i = 0; i < 3; i++) {
			EventLoopServer server = EventLoopServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
				.workers(1)
				.backend(backend)
				.addService(new EchoService())
				.build()
				.start();
			echo("127.0.0.1", port);
			server.shutdownNow().awaitTermination();
		}
	}

	static void assertRefused(String host, int port) {
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new Socket(host, port).close());
	}

	private static void echo(String host, int port) throws InterruptedException {
		ManagedChannel channel = NettyChannelBuilder.forAddress(host, port).usePlaintext().build();
		assertThat(EchoGrpc.newBlockingStub(channel).unary(Messages.text(host))).isEqualTo(Messages.text(host));
		channel.shutdownNow();
		assertThat(channel.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.getLocalPort();
		}
	}

}
