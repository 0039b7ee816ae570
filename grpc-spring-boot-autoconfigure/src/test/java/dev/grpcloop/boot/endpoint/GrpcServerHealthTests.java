package dev.grpcloop.boot.endpoint;

import java.util.List;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.StartedServer;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.netty.channel.Channel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The component {@code grpcServer} of the application's health.
 */
@Timeout(60)
class GrpcServerHealthTests {

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withBean(GreeterService.class)
		.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class,
				HealthContributorAutoConfiguration.class));

	@Test
	void aServerIsUpUntilItDrainsAndOutOfServiceThen() {
		this.runner.withPropertyValues("grpc.server.shutdown.drain-delay=1h").run((context) -> {
			int port = context.getEnvironment().getRequiredProperty("local.grpc.server.port", Integer.class);
			Health up = health(context);
			assertThat(up.getStatus()).isEqualTo(Status.UP);
			assertThat(up.getDetails()).containsEntry("state", "running")
				.containsEntry("address", "127.0.0.1:" + port)
				.containsEntry("port", port);
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			lifecycle.stop(() -> {
			});
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health(context).getDetails()).containsEntry("state", "draining");
			lifecycle.destroy();
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health(context).getDetails()).containsEntry("state", "stopped");
		});
	}

	@Test
	void aServerThatNoLongerListensIsDown() {
		this.runner.run((context) -> {
			@SuppressWarnings("unchecked")
			List<Channel> listeners = (List<Channel>) ReflectionTestUtils.getField(StartedServer.of(context),
					"listeners");
			assertThat(listeners).hasSize(1);
			listeners.get(0).close().sync();
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).extractingByKey("error")
				.asString()
				.contains("no longer listens", "none");
		});
	}

	@Test
	void aServerThatIsNotThereHasNoHealth() {
		for (String property : List.of("grpc.server.enabled=false", "grpc.server.factory.enabled=false",
				"management.health.grpcserver.enabled=false")) {
			this.runner.withPropertyValues(property)
				.run((context) -> assertThat(
						context.getBean(HealthContributorRegistry.class).getContributor("grpcServer"))
					.as(property)
					.isNull());
		}
	}

	/** Spring Boot's own check asks it too, and must not keep the server from serving. */
	@Test
	@BesideSpringBoot
	void besideSpringBootTheServerIsUpAndServing() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(GreeterService.class,
				"spring.grpc.server.health.schedule.delay=1ms", "spring.grpc.server.health.schedule.period=1ms",
				"spring.security.user.password=secret"); GreeterClient client = GreeterClient.of(context)) {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			Awaitility.await()
				.until(() -> HealthWatch.check(client.channel(), HealthWatch.SERVER) == ServingStatus.SERVING);
		}
	}

	private static Health health(ApplicationContext context) {
		HealthIndicator indicator = (HealthIndicator) context.getBean(HealthContributorRegistry.class)
			.getContributor("grpcServer");
		return indicator.health();
	}

}
