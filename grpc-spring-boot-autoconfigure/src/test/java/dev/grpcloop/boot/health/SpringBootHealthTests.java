package dev.grpcloop.boot.health;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.server.EventLoopGrpcServerLifecycle;
import dev.grpcloop.boot.testsupport.BesideSpringBoot;
import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.SpringBootApplications;
import dev.grpcloop.boot.testsupport.StartedServer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Spring Boot's own health service in front of our server.
 */
@Timeout(60)
@BesideSpringBoot
@ExtendWith(OutputCaptureExtension.class)
class SpringBootHealthTests {

	private static final String GREETER = "test.v1.Greeter";

	private static final String[] FAST = { "spring.grpc.server.health.schedule.period=5ms",
			"spring.grpc.server.health.schedule.delay=0", "spring.grpc.server.health.service.own.include=own" };

	@Test
	void itChecksAsEver() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class, FAST)) {
			assertThat(context.getBeansOfType(HealthCheck.class)).isEmpty();
			Own own = context.getBean(Own.class);
			awaitStatus(context, "own", ServingStatus.SERVING);
			own.up = false;
			awaitStatus(context, "own", ServingStatus.NOT_SERVING);
			awaitStatus(context, HealthWatch.SERVER, ServingStatus.NOT_SERVING);
			own.up = true;
			awaitStatus(context, HealthWatch.SERVER, ServingStatus.SERVING);
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> status(context, GREETER))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
		}
	}

	@Test
	void itsChecksDoNotTurnAnApplicationBackThatRefusesTraffic() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class, FAST)) {
			awaitStatus(context, "own", ServingStatus.SERVING);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			awaitChecks(context);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			assertThat(status(context, "own")).isEqualTo(ServingStatus.SERVING);
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
		}
	}

	@Test
	void itsChecksDoNotTurnADrainingServerBack() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class, FAST[0], FAST[1],
				FAST[2], "grpc.server.shutdown.drain-delay=30s"); GreeterClient client = GreeterClient.of(context)) {
			awaitStatus(context, "own", ServingStatus.SERVING);
			EventLoopGrpcServerLifecycle lifecycle = context.getBean(EventLoopGrpcServerLifecycle.class);
			CountDownLatch stopped = new CountDownLatch(1);
			lifecycle.stop(stopped::countDown);
			awaitChecks(context);
			for (String name : List.of(HealthWatch.SERVER, "own")) {
				assertThat(HealthWatch.check(client.channel(), name)).isEqualTo(ServingStatus.NOT_SERVING);
			}
			lifecycle.destroy();
			stopped.await();
			lifecycle.start();
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			assertThat(status(context, "own")).isEqualTo(ServingStatus.SERVING);
			lifecycle.destroy();
		}
	}

	@Test
	void readinessIsFollowedOnlyWhereTheServerAsAWholeIsIncluded() throws Exception {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class,
				"spring.grpc.server.health.include-overall-health=false")) {
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
		}
	}

	@Test
	void whatTheApplicationSetsIsOverwrittenAsEver() {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class, FAST)) {
			context.getBean(HealthStatusManager.class).setStatus(HealthWatch.SERVER, ServingStatus.NOT_SERVING);
			awaitStatus(context, HealthWatch.SERVER, ServingStatus.SERVING);
		}
	}

	@Test
	void theManagerIsEndedOnce(CapturedOutput output) {
		SpringBootApplications.run(Application.class).close();
		assertThat(output).contains("gRPC server stopped").doesNotContain("Already terminating");
	}

	@Test
	void oursStaysAwayWhereSpringBootsIsSwitchedOff() {
		try (ConfigurableApplicationContext context = SpringBootApplications.run(Application.class,
				"spring.grpc.server.health.enabled=false", "spring.grpc.server.reflection.enabled=false")) {
			assertThat(StartedServer.services(context)).containsExactly(GREETER);
		}
	}

	/** Until a check has begun and ended after now. */
	private static void awaitChecks(ApplicationContext context) {
		AtomicInteger asked = context.getBean(Own.class).asked;
		int before = asked.get();
		Awaitility.await().until(() -> asked.get() > before + 2);
	}

	private static ServingStatus status(ApplicationContext context, String service) throws InterruptedException {
		try (GreeterClient client = GreeterClient.of(context)) {
			return HealthWatch.check(client.channel(), service);
		}
	}

	private static void awaitStatus(ApplicationContext context, String service, ServingStatus status) {
		Awaitility.await()
			.ignoreException(StatusRuntimeException.class)
			.until(() -> status(context, service) == status);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(GreeterService.class)
	static class Application {

		@Bean
		Own own() {
			return new Own();
		}

	}

	static final class Own implements HealthIndicator {

		final AtomicInteger asked = new AtomicInteger();

		volatile boolean up = true;

		@Override
		public Health health() {
			this.asked.incrementAndGet();
			return this.up ? Health.up().build() : Health.down().build();
		}

	}

}
