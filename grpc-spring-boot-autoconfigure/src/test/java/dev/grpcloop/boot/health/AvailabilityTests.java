package dev.grpcloop.boot.health;

import java.util.concurrent.atomic.AtomicReference;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ManualClock;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What gRPC clients are told while the application is not ready for traffic.
 */
@Timeout(60)
class AvailabilityTests {

	private static final String GREETER = "test.v1.Greeter";

	private final ManualClock clock = new ManualClock();

	private final ApplicationContextRunner runner = TestApplications.runner().withBean(GreeterService.class);

	private final ApplicationContextRunner probes = this.runner
		.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class,
				ApplicationAvailabilityAutoConfiguration.class, AvailabilityHealthContributorAutoConfiguration.class))
		.withBean(ManualClock.class, () -> this.clock)
		.withPropertyValues("management.health.livenessstate.enabled=true",
				"management.health.readinessstate.enabled=true",
				"grpc.server.health.service.liveness.include=livenessState",
				"grpc.server.health.service.readiness.include=readinessState");

	@Test
	void anApplicationThatRefusesTrafficIsNotServingFromThatMoment() {
		this.runner.run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				HealthWatch watch = HealthWatch.of(client.channel(), HealthWatch.SERVER);
				await(watch, ServingStatus.SERVING);
				AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
				assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER))
					.isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(client.hello("Ada")).isEqualTo("Hello Ada");
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.SERVING);
				await(watch, ServingStatus.SERVING, ServingStatus.NOT_SERVING, ServingStatus.SERVING);
			}
		});
	}

	@Test
	void anApplicationIsNotServingBeforeItIsReady() throws Exception {
		try (ConfigurableApplicationContext context = TestApplications.run(AsksWhileStarting.class);
				GreeterClient client = GreeterClient.of(context)) {
			assertThat(context.getBean(AsksWhileStarting.class).status).hasValue(ServingStatus.NOT_SERVING);
			assertThat(HealthWatch.check(client.channel(), HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
		}
	}

	@Test
	void readinessCanBeLeftOut() {
		this.runner.withPropertyValues("grpc.server.health.include-overall-health=false").run((context) -> {
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
		});
	}

	@Test
	void aProbeOfLivenessDoesNotFollowReadiness() {
		this.probes.run((context) -> {
			AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			this.clock.tick();
			awaitStatus(context, "liveness", ServingStatus.SERVING);
			awaitStatus(context, "readiness", ServingStatus.SERVING);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			awaitStatus(context, "readiness", ServingStatus.NOT_SERVING);
			assertThat(status(context, "liveness")).isEqualTo(ServingStatus.SERVING);
		});
	}

	@Test
	void aChangeIsCheckedWithoutWaitingForTheNextTime() {
		this.probes.run((context) -> {
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
			this.clock.tick();
			awaitStatus(context, HealthWatch.SERVER, ServingStatus.SERVING);
			AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
			awaitStatus(context, "liveness", ServingStatus.NOT_SERVING);
			assertThat(status(context, "readiness")).isEqualTo(ServingStatus.SERVING);
			AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
			awaitStatus(context, HealthWatch.SERVER, ServingStatus.SERVING);
		});
	}

	@Test
	void aChangeThatCameBeforeTheServerIsNotForgotten() {
		this.runner.withConfiguration(AutoConfigurations.of(ApplicationAvailabilityAutoConfiguration.class))
			.withBean(RefusesFromTheStart.class)
			.run((context) -> assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING));
	}

	private static ServingStatus status(ApplicationContext context, String service) throws InterruptedException {
		try (GreeterClient client = GreeterClient.of(context)) {
			return HealthWatch.check(client.channel(), service);
		}
	}

	private static void awaitStatus(ApplicationContext context, String service, ServingStatus status) {
		Awaitility.await().until(() -> status(context, service) == status);
	}

	private static void await(HealthWatch watch, ServingStatus... statuses) {
		Awaitility.await().untilAsserted(() -> assertThat(watch.statuses()).containsExactly(statuses));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class AsksWhileStarting implements ApplicationRunner {

		final AtomicReference<ServingStatus> status = new AtomicReference<>();

		private final ApplicationContext context;

		AsksWhileStarting(ApplicationContext context) {
			this.context = context;
		}

		@Override
		public void run(ApplicationArguments arguments) throws Exception {
			this.status.set(AvailabilityTests.status(this.context, HealthWatch.SERVER));
		}

	}

	/** Says so while the singletons are made, before the server starts. */
	static class RefusesFromTheStart implements org.springframework.beans.factory.SmartInitializingSingleton {

		private final ApplicationContext context;

		RefusesFromTheStart(ApplicationContext context) {
			this.context = context;
		}

		@Override
		public void afterSingletonsInstantiated() {
			AvailabilityChangeEvent.publish(this.context, ReadinessState.REFUSING_TRAFFIC);
		}

	}

}
