package dev.grpcloop.boot.test.autoconfigure;

import java.net.SocketAddress;
import java.util.List;

import dev.grpcloop.boot.test.sample.CallLog;
import dev.grpcloop.boot.test.sample.Requests;
import dev.grpcloop.boot.test.sample.TestedApplication;
import dev.grpcloop.boot.test.v1.FarewellGrpc;
import dev.grpcloop.boot.test.v1.GreeterGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.inprocess.InProcessSocketAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.grpc.client.ImportGrpcClients;
import org.springframework.grpc.server.ServerServiceDefinitionFilter;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(classes = TestedApplication.class)
@AutoConfigureTestGrpcTransport
class AutoConfigureTestGrpcTransportTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	private GreeterGrpc.GreeterBlockingStub greeter;

	@Test
	void noPortIsBound(@Autowired Environment environment) {
		assertThat(addresses(this.context)).singleElement().isInstanceOf(InProcessSocketAddress.class);
		assertThat(environment.getProperty("local.grpc.server.port")).isNull();
	}

	@Test
	void stubsReachTheServices() {
		assertThat(this.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void healthIsServedToo(@Autowired HealthGrpc.HealthBlockingStub health) {
		assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus()).isEqualTo(ServingStatus.SERVING);
	}

	@Test
	void interceptorsAreAroundTheServices(@Autowired CallLog log) {
		log.methods().clear();
		this.greeter.hello(Requests.ADA);
		assertThat(log.methods()).containsExactly("Hello");
	}

	@Test
	void channelsOfAFactoryLeadToItWhateverTheirTarget(@Autowired GrpcChannelFactory factory) {
		assertThat(factory.supports("in-process:other")).isTrue();
		for (String target : List.of("default", "static://0.0.0.0:9090", "in-process:other")) {
			ManagedChannel channel = factory.createChannel(target);
			assertThat(GreeterGrpc.newBlockingStub(channel).hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}
	}

	@Test
	void aServerThatIsStartedAgainIsTheOneThatClientsReach() {
		GrpcServerLifecycle server = this.context.getBean(GrpcServerLifecycle.class);
		server.stop();
		assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> this.greeter.hello(Requests.ADA))
			.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
		server.start();
		assertThat(this.greeter.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
	}

	@Test
	void itIsNotPaused() {
		assertThat(this.context.getBean(GrpcServerLifecycle.class).isPauseable()).isFalse();
	}

	static List<SocketAddress> addresses(ApplicationContext context) {
		return context.getBean(RunningServers.class)
			.all()
			.stream()
			.<SocketAddress>map(RunningServers::address)
			.toList();
	}

	@Nested
	@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
	@SpringBootTest(classes = TestedApplication.class)
	@AutoConfigureTestGrpcTransport(enableServerFactory = true)
	class WithTheServersOfTheApplication {

		@Test
		void bothServersRunAndClientsUseTheTransport(@Autowired ApplicationContext both,
				@Autowired GreeterGrpc.GreeterBlockingStub stub, @LocalGrpcServerPort int port) {
			assertThat(addresses(both)).hasSize(2).hasAtLeastOneElementOfType(InProcessSocketAddress.class);
			assertThat(port).isPositive();
			assertThat(RunningServers.address(both.getBean(RunningServers.class).preferred()))
				.isInstanceOf(InProcessSocketAddress.class);
			assertThat(stub.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

	}

	@Nested
	@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
	@SpringBootTest(classes = TestedApplication.class)
	@AutoConfigureTestGrpcTransport
	@ImportGrpcClients(FarewellGrpc.FarewellBlockingStub.class)
	class WithClientsOfTheApplication {

		@Test
		void theyReachTheServicesOverTheTransport(@Autowired FarewellGrpc.FarewellBlockingStub bean) {
			assertThat(bean.bye(Requests.ADA).getMessage()).isEqualTo("Bye Ada");
		}

	}

	@Nested
	@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
	@SpringBootTest(classes = TestedApplication.class)
	@AutoConfigureTestGrpcTransport
	@Import(WithAFilter.Filter.class)
	class WithAFilter {

		@Test
		void servicesThatTheApplicationFiltersAreNotServed(@Autowired FarewellGrpc.FarewellBlockingStub farewell,
				@Autowired GreeterGrpc.GreeterBlockingStub stub) {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> farewell.bye(Requests.ADA))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
			assertThat(stub.hello(Requests.ADA).getMessage()).isEqualTo("Hello Ada");
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Filter {

			@Bean
			ServerServiceDefinitionFilter noFarewell() {
				return (service, factory) -> !service.getServiceDescriptor().getName().endsWith("Farewell");
			}

		}

	}

}
