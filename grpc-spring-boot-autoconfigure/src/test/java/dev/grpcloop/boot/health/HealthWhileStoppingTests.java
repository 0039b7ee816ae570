package dev.grpcloop.boot.health;

import java.util.concurrent.CountDownLatch;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ManualClock;
import dev.grpcloop.boot.testsupport.ServerThreads;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Health against the life of the server.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HealthWhileStoppingTests {

	private static final String GREETER = "test.v1.Greeter";

	private final ManualClock clock = new ManualClock();

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class))
		.withBean(GreeterService.class)
		.withBean(ManualClock.class, () -> this.clock);

	private final ApplicationContextRunner up = this.runner.withBean("up", HealthIndicator.class,
			() -> () -> Health.up().build());

	@Test
	void nothingTurnsADrainingServerBack() {
		this.up
			.withPropertyValues("grpc.server.shutdown.drain-delay=30s", "grpc.server.shutdown.grace-period=30s",
					"grpc.server.health.service.own.include=up")
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					this.clock.tick();
					EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
					CountDownLatch stopped = new CountDownLatch(1);
					lifecycle.stop(stopped::countDown);
					this.clock.tickLate();
					context.getBean(ManagedServerHealth.class).update();
					AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
					for (String name : new String[] { HealthWatch.SERVER, GREETER, "own" }) {
						assertThat(HealthWatch.check(client.channel(), name)).isEqualTo(ServingStatus.NOT_SERVING);
					}
					lifecycle.destroy();
					stopped.await();
				}
			});
	}

	@Test
	void everyNameOfAServerThatIsClosedIsNotServing() {
		this.up.withPropertyValues("grpc.server.shutdown.drain-delay=30s", "grpc.server.health.service.own.include=up")
			.run((context) -> {
				try (GreeterClient client = GreeterClient.of(context)) {
					HealthWatch server = HealthWatch.of(client.channel(), HealthWatch.SERVER);
					HealthWatch greeter = HealthWatch.of(client.channel(), GREETER);
					HealthWatch own = HealthWatch.of(client.channel(), "own");
					Thread close = new Thread(context.getSourceApplicationContext()::close);
					Awaitility.await().until(() -> own.statuses().size() == 1);
					close.start();
					await(server, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
					await(greeter, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
					await(own, ServingStatus.UNKNOWN, ServingStatus.NOT_SERVING);
					assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
					context.getBean(EventLoopGrpcServerLifecycle.class).destroy();
					close.join();
				}
			});
	}

	@Test
	void aServerThatStartsAgainIsCheckedAgain() {
		this.up.run((context) -> {
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			for (int i = 1; i <= 3; i++) {
				assertThat(this.clock.tasks()).hasSize(i).filteredOn((task) -> !task.isCancelled()).hasSize(1);
				lifecycle.stop();
				assertThat(this.clock.tasks()).hasSize(i).allMatch(ManualClock.Task::isCancelled);
				ServerThreads.awaitNone();
				lifecycle.start();
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, GREETER)).isEqualTo(ServingStatus.SERVING);
			}
		});
		ServerThreads.awaitNone();
	}

	@Test
	void whatTheApplicationHasSetComesBackWithTheServer() {
		this.up.run((context) -> {
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			HealthStatusManager manager = context.getBean(HealthStatusManager.class);
			manager.setStatus(HealthWatch.SERVER, ServingStatus.NOT_SERVING);
			manager.setStatus(GREETER, ServingStatus.UNKNOWN);
			for (int i = 0; i < 2; i++) {
				lifecycle.stop();
				lifecycle.start();
				context.getBean(ManagedServerHealth.class).update();
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(status(context, GREETER)).isEqualTo(ServingStatus.UNKNOWN);
			}
		});
	}

	@Test
	void whatTheApplicationSetsWhileTheServerStandsIsKept() {
		this.up.run((context) -> {
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			lifecycle.stop();
			context.getBean(HealthStatusManager.class).setStatus(GREETER, ServingStatus.UNKNOWN);
			context.getBean(HealthStatusManager.class).clearStatus(HealthWatch.SERVER);
			lifecycle.start();
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.UNKNOWN);
				await(HealthWatch.of(client.channel(), HealthWatch.SERVER), ServingStatus.SERVICE_UNKNOWN);
			}
		});
	}

	@Test
	void theHealthOfOneContextIsNotThatOfAnother() {
		this.up.run((one) -> {
			ManualClock otherClock = new ManualClock();
			TestApplications.runner()
				.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class))
				.withBean(GreeterService.class)
				.withBean(ManualClock.class, () -> otherClock)
				.withBean("down", HealthIndicator.class, () -> () -> Health.down().build())
				.run((other) -> {
					otherClock.tick();
					Awaitility.await().until(() -> status(other, GREETER) == ServingStatus.NOT_SERVING);
				});
			assertThat(otherClock.tasks()).allMatch(ManualClock.Task::isCancelled);
			assertThat(this.clock.tasks()).noneMatch(ManualClock.Task::isCancelled);
			assertThat(status(one, GREETER)).isEqualTo(ServingStatus.SERVING);
		});
	}

	@Test
	void aContributorThatHangsDisturbsNoCallAndNoStop(CapturedOutput output) {
		CountDownLatch asked = new CountDownLatch(1);
		this.runner.withBean("hanging", HealthIndicator.class, () -> () -> {
			asked.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return Health.up().build();
		}).withPropertyValues("grpc.server.executor.mode=event-loop").run((context) -> {
			this.clock.tick();
			asked.await();
			this.clock.tick();
			assertThat(output).contains("the health contributor 'hanging'");
			try (GreeterClient client = GreeterClient.of(context)) {
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
				AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER))
					.isEqualTo(ServingStatus.NOT_SERVING);
			}
		});
		ServerThreads.awaitNone();
	}

	@Test
	void aContributorThatFailsIsDownAndNamedOnce(CapturedOutput output) {
		this.runner.withBean("failing", HealthIndicator.class, () -> () -> {
			throw new IllegalStateException("no such table");
		}).run((context) -> {
			for (int i = 0; i < 3; i++) {
				context.getBean(ManagedServerHealth.class).update();
			}
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			assertThat(output.getAll()).containsOnlyOnce("The health contributor 'failing'");
		});
	}

	private static ServingStatus status(ApplicationContext context, String service) throws InterruptedException {
		try (GreeterClient client = GreeterClient.of(context)) {
			return HealthWatch.check(client.channel(), service);
		}
	}

	private static void await(HealthWatch watch, ServingStatus... statuses) {
		Awaitility.await().untilAsserted(() -> assertThat(watch.statuses()).containsExactly(statuses));
	}

}
