package dev.grpcloop.boot;

import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import dev.grpcloop.boot.testsupport.GreeterService;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.grpc.test.autoconfigure.AutoConfigureTestGrpcTransport;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test as Spring Boot's users write it: with an in-process server in the place of the
 * one on the network.
 */
@DirtiesContext
@SpringBootTest
@AutoConfigureTestGrpcTransport
@BesideSpringBoot
class SpringBootTestTransportTests {

	@Test
	void callsGoToTheInProcessServerAlone(@Autowired ApplicationContext context,
			@Autowired GrpcChannelFactory channels) {
		assertThat(context.getBeansOfType(GrpcServerLifecycle.class)).hasSize(1);
		assertThat(context.getBeansOfType(EventLoopGrpcServerLifecycle.class)).isEmpty();
		assertThat(context.getEnvironment().getProperty("local.grpc.server.port")).isNull();
		ManagedChannel channel = channels.createChannel("anything");
		assertThat(GreeterGrpc.newBlockingStub(channel).hello(GreeterService.request("Ada")).getMessage())
			.isEqualTo("Hello Ada");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration")
	@Import(GreeterService.class)
	static class Application {

	}

}
