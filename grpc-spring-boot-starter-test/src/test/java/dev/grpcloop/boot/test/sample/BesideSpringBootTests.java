package dev.grpcloop.boot.test.sample;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.test.autoconfigure.AutoConfigureTestGrpcTransport;
import dev.grpcloop.boot.test.autoconfigure.GrpcServiceTest;
import dev.grpcloop.boot.test.autoconfigure.LocalGrpcServerPort;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.grpc.client.ImportGrpcClients;
import org.springframework.grpc.server.GrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With Spring Boot's own starters for gRPC and for tests of it on the class path.
 */
@Tag("beside-spring-boot")
@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class BesideSpringBootTests {

	@Nested
	@SpringBootTest
	class OnAPort {

		@LocalGrpcServerPort
		private int port;

		@org.springframework.boot.grpc.test.autoconfigure.LocalGrpcServerPort
		private int portForSpringBoot;

		@Test
		void bothAnnotationsInjectThePortOfOurServer(@Autowired EventLoopGrpcServerLifecycle server,
				@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			assertThat(server.getPort()).isEqualTo(this.port).isNotEqualTo(9090);
			assertThat(this.portForSpringBoot).isEqualTo(this.port);
			assertThat(greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

	}

	@Nested
	@SpringBootTest
	@org.springframework.boot.grpc.test.autoconfigure.AutoConfigureTestGrpcTransport
	@ImportGrpcClients(FarewellGrpc.FarewellBlockingStub.class)
	class WithItsTransport {

		@Test
		void clientsOfBothKindsReachTheServices(@Autowired GreeterGrpc.GreeterBlockingStub injected,
				@Autowired FarewellGrpc.FarewellBlockingStub bean, @Autowired GrpcChannelFactory factory,
				@Autowired Environment environment) {
			assertThat(environment.getProperty("local.grpc.server.port")).isNull();
			assertThat(injected.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
			assertThat(bean.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
			assertThat(GreeterGrpc.newBlockingStub(factory.createChannel("default")).hello(Requests.ADA).getMessage())
				.isEqualTo("Hello Ada");
		}

	}

	@Nested
	@SpringBootTest
	@AutoConfigureTestGrpcTransport
	@ImportGrpcClients(FarewellGrpc.FarewellBlockingStub.class)
	class WithOurTransport {

		@Test
		void clientsOfBothKindsReachTheServices(@Autowired GreeterGrpc.GreeterBlockingStub injected,
				@Autowired FarewellGrpc.FarewellBlockingStub bean, @Autowired Environment environment) {
			assertThat(environment.getProperty("local.grpc.server.port")).isNull();
			assertThat(injected.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
			assertThat(bean.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
		}

	}

	@Nested
	@GrpcServiceTest(FarewellController.class)
	@org.springframework.boot.grpc.test.autoconfigure.AutoConfigureTestGrpcTransport
	class WithBothTransports {

		@Test
		void thereIsOneServer(@Autowired ApplicationContext context, @Autowired GrpcChannelFactory factory,
				@Autowired FarewellGrpc.FarewellBlockingStub farewell) {
			assertThat(context.getBeansOfType(GrpcServerLifecycle.class)).hasSize(1);
			assertThat(factory).isNotNull();
			assertThat(farewell.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
		}

	}

	@Nested
	@SpringBootTest(properties = "grpc.server.enabled=false")
	class WithItsServer {

		@Test
		void clientsReachIt(@Autowired GrpcServerFactory factory, @LocalGrpcServerPort int port,
				@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			assertThat(factory.getClass().getName()).startsWith("org.springframework.grpc");
			assertThat(port).isPositive().isNotEqualTo(9090);
			assertThat(greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

	}

	@Nested
	@SpringBootTest(properties = "grpc.server.enabled=false")
	@AutoConfigureTestGrpcTransport
	class WithOurTransportAndWithoutOurServer {

		@Test
		void clientsReachTheServices(@Autowired Environment environment,
				@Autowired GreeterGrpc.GreeterBlockingStub greeter) {
			assertThat(environment.getProperty("local.grpc.server.port")).isNull();
			assertThat(greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

	}

}
