package dev.grpcloop.boot;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.grpc.test.autoconfigure.LocalGrpcServerPort;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test as Spring Boot's users write it: with a server on a port of the network.
 */
@DirtiesContext
@SpringBootTest(properties = { "spring.grpc.server.port=0", "spring.grpc.server.address=127.0.0.1" })
@BesideSpringBoot
class SpringBootTestPortTests {

	@Test
	void thePortIsThatOfOurServer(@LocalGrpcServerPort int port, @Autowired EventLoopGrpcServerLifecycle lifecycle)
			throws Exception {
		assertThat(port).isEqualTo(lifecycle.getPort());
		try (GreeterClient client = new GreeterClient("localhost", port)) {
			assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(GreeterService.class)
	static class Application {

	}

}
