package dev.grpcloop.boot.health;

import java.util.concurrent.atomic.AtomicReference;

import dev.grpcloop.boot.autoconfigure.GrpcLoopServerAutoConfiguration;
import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.server.ServerHealth;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.lifecycle.GrpcServerShutdownEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When the health service is there and what it says.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HealthServiceTests {

	private static final String HEALTH = "grpc.health.v1.Health";

	private static final String GREETER = "test.v1.Greeter";

	private final ApplicationContextRunner runner = TestApplications.runner();

	private final ApplicationContextRunner greeter = this.runner.withBean(GreeterService.class);

	@Test
	void aServerThatHasStartedIsServing() {
		this.greeter.run((context) -> {
			assertThat(StartedServer.services(context)).contains(GREETER).containsOnlyOnce(HEALTH);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			}
		});
	}

	@Test
	void aServerWithoutServicesHasNoHealthToTell() {
		this.runner.run((context) -> assertThat(StartedServer.services(context)).isEmpty());
	}

	@Test
	void aServerWithoutServicesTellsItsHealthIfAskedTo() {
		this.runner.withPropertyValues("grpc.server.health.enabled=true").run((context) -> {
			assertThat(StartedServer.services(context)).containsExactly(HEALTH);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			}
		});
	}

	/** Spring Boot's own asks for services before all of them are known. */
	@Test
	void servicesOfLaterConfigurationsHaveTheirHealthTold() {
		this.runner.withConfiguration(AutoConfigurations.of(LateServices.class)).run((context) -> {
			assertThat(StartedServer.services(context)).contains(GREETER, HEALTH);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.SERVING);
			}
		});
	}

	@Test
	void aManagerThatEndsItselfIsEndedOnce(CapturedOutput output) {
		this.greeter.withUserConfiguration(EndingManager.class).run((context) -> {
		});
		assertThat(output).contains("gRPC server stopped").doesNotContain("Already terminating");
	}

	@Test
	void whatTheApplicationSetsIsTold() {
		this.greeter.run((context) -> {
			context.getBean(HealthStatusManager.class).setStatus(GREETER, ServingStatus.NOT_SERVING);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.NOT_SERVING);
			}
		});
	}

	@Test
	void theApplicationsManagerReplacesOursAndItsStatusIsKept() {
		HealthStatusManager own = new HealthStatusManager();
		own.setStatus(HealthWatch.SERVER, ServingStatus.NOT_SERVING);
		this.greeter.withBean(HealthStatusManager.class, () -> own).run((context) -> {
			assertThat(context).doesNotHaveBean("grpcLoopHealthStatusManager");
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER))
					.isEqualTo(ServingStatus.NOT_SERVING);
			}
		});
	}

	@Test
	void aHealthServiceOfTheApplicationIsTheOnlyOne() {
		this.greeter.withUserConfiguration(OwnHealthService.class).run((context) -> {
			assertThat(StartedServer.services(context)).contains(GREETER).containsOnlyOnce(HEALTH);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), "mine")).isEqualTo(ServingStatus.SERVING);
			}
		});
	}

	@Test
	void theServiceCanBeSwitchedOff() {
		this.greeter.withPropertyValues("grpc.server.health.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(HealthStatusManager.class);
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThatExceptionOfType(StatusRuntimeException.class)
					.isThrownBy(() -> HealthWatch.check(client.channel(), HealthWatch.SERVER))
					.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
			}
		});
	}

	@Test
	void aServiceOfTheApplicationHearsOfAStopEvenWhereOursIsSwitchedOff() {
		this.greeter.withPropertyValues("grpc.server.health.enabled=false")
			.withUserConfiguration(OwnHealthService.class, StatusAtShutdown.class)
			.run((context) -> {
				StatusAtShutdown status = context.getBean(StatusAtShutdown.class);
				context.getSourceApplicationContext().close();
				assertThat(status.overall()).isEqualTo(ServingStatus.NOT_SERVING);
			});
	}

	@Test
	void theServerStartsWithoutGrpcServices() {
		this.greeter.withClassLoader(new FilteredClassLoader("io.grpc.protobuf.services", "io.grpc.health"))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(ServerHealth.class);
				assertThat(StartedServer.services(context)).containsExactly(GREETER);
			});
	}

	@Test
	void aServerThatStartsAgainIsServingAgain() {
		this.greeter.withUserConfiguration(StatusAtShutdown.class).run((context) -> {
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			for (int i = 0; i < 2; i++) {
				lifecycle.stop();
				assertThat(context.getBean(StatusAtShutdown.class).overall()).isEqualTo(ServingStatus.NOT_SERVING);
				lifecycle.start();
				try (GreeterClient client = GreeterClient.of(context)) {
					assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER))
						.isEqualTo(ServingStatus.SERVING);
				}
			}
		});
	}

	@AutoConfiguration(after = GrpcLoopServerAutoConfiguration.class)
	static class LateServices {

		@Bean
		GreeterService greeter() {
			return new GreeterService();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EndingManager {

		@Bean(destroyMethod = "enterTerminalState")
		HealthStatusManager healthStatusManager() {
			return new HealthStatusManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnHealthService {

		private final HealthStatusManager manager = new HealthStatusManager();

		@Bean
		HealthStatusManager healthStatusManager() {
			this.manager.setStatus("mine", ServingStatus.SERVING);
			return this.manager;
		}

		@Bean
		BindableService healthService() {
			return this.manager.getHealthService();
		}

	}

	/** Asks when the stop is announced: the server still serves then. */
	@Configuration(proxyBeanMethods = false)
	static class StatusAtShutdown {

		private final AtomicReference<ServingStatus> overall = new AtomicReference<>();

		@EventListener
		void ask(GrpcServerShutdownEvent event) throws Exception {
			try (GreeterClient client = new GreeterClient("localhost", event.getServer().getPort())) {
				this.overall.set(HealthWatch.check(client.channel(), HealthWatch.SERVER));
			}
		}

		ServingStatus overall() {
			return this.overall.get();
		}

	}

}
