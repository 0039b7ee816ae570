package dev.grpcloop.boot.autoconfigure;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.TestApplications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ListenAddress} and for the socket that comes of it.
 */
class ListenAddressTests {

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "*", "0.0.0.0", "::" })
	void theseAreAllAddresses(String address) {
		assertThat(resolve(address).getAddress().isAnyLocalAddress()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1", "[::1]", "localhost" })
	void theseAreTheLoopbackInterface(String address) {
		assertThat(resolve(address).getAddress().isLoopbackAddress()).isTrue();
	}

	@Test
	void aNameThatDoesNotResolveIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> resolve("no.such.host.invalid"))
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("grpc.server.address"));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theServerListensOnThatAddressOnly() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.address=127.0.0.2")) {
			int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
			try (GreeterClient client = new GreeterClient("127.0.0.2", port)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
			}
			assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect("127.0.0.1", port));
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void withoutAnAddressTheServerListensOnAll() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.address=*")) {
			int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
			connect("127.0.0.1", port);
			connect("127.0.0.2", port);
			if (hasIpv6()) {
				connect("::1", port);
			}
		}
	}

	@Test
	@EnabledIf("hasIpv6")
	void anIpv6AddressIsServed() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(Application.class,
				"grpc.server.address=::1");
				GreeterClient client = new GreeterClient("::1",
						context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class))) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	static boolean hasIpv6() {
		try (java.net.ServerSocket socket = new java.net.ServerSocket(0, 1, InetAddress.getByName("::1"))) {
			return socket.isBound();
		}
		catch (java.io.IOException ex) {
			return false;
		}
	}

	private static void connect(String host, int port) throws java.io.IOException {
		try (Socket socket = new Socket(host, port)) {
			assertThat(socket.isConnected()).isTrue();
		}
	}

	private static InetSocketAddress resolve(String address) {
		GrpcServerProperties properties = new GrpcServerProperties();
		properties.setAddress(address);
		return ListenAddress.of(properties);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

	}

}
