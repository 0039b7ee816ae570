package dev.grpcloop.boot.health;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.testsupport.GreeterClient;
import dev.grpcloop.boot.testsupport.GreeterService;
import dev.grpcloop.boot.testsupport.HealthWatch;
import dev.grpcloop.boot.testsupport.ManualClock;
import dev.grpcloop.boot.testsupport.TestApplications;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How the health contributors of an application become what gRPC clients are told.
 */
@Timeout(60)
class ContributorHealthTests {

	private static final String GREETER = "test.v1.Greeter";

	private final ManualClock clock = new ManualClock();

	private final Contributor db = new Contributor();

	private final Contributor disk = new Contributor();

	private final ApplicationContextRunner runner = TestApplications.runner()
		.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class,
				HealthContributorAutoConfiguration.class))
		.withBean(GreeterService.class)
		.withBean(ManualClock.class, () -> this.clock)
		.withBean("db", HealthIndicator.class, () -> this.db)
		.withBean("disk", HealthIndicator.class, () -> this.disk);

	@Test
	void theServerAndItsServicesAreServingUntilSomethingIsDown() {
		this.runner.run((context) -> {
			try (GreeterClient client = GreeterClient.of(context)) {
				HealthWatch server = HealthWatch.of(client.channel(), HealthWatch.SERVER);
				HealthWatch greeter = HealthWatch.of(client.channel(), GREETER);
				await(server, ServingStatus.SERVING);
				await(greeter, ServingStatus.SERVING);
				this.db.status = "DOWN";
				assertThat(HealthWatch.check(client.channel(), GREETER)).isEqualTo(ServingStatus.SERVING);
				this.clock.tick();
				await(server, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
				await(greeter, ServingStatus.SERVING, ServingStatus.NOT_SERVING);
				this.db.status = "UP";
				this.clock.tick();
				await(server, ServingStatus.SERVING, ServingStatus.NOT_SERVING, ServingStatus.SERVING);
				await(greeter, ServingStatus.SERVING, ServingStatus.NOT_SERVING, ServingStatus.SERVING);
			}
		});
	}

	@Test
	void theHealthIsCheckedEveryFiveSeconds() {
		this.runner.run((context) -> assertThat(this.clock.tasks()).singleElement().satisfies((task) -> {
			assertThat(task.start()).isEqualTo(ManualClock.NOW.plusSeconds(5));
			assertThat(task.period()).isEqualTo(Duration.ofSeconds(5));
		}));
	}

	@Test
	void theHealthIsCheckedAsOftenAsThePropertiesSay() {
		this.runner
			.withPropertyValues("grpc.server.health.schedule.period=7", "grpc.server.health.schedule.delay=200ms")
			.run((context) -> assertThat(this.clock.tasks()).singleElement().satisfies((task) -> {
				assertThat(task.start()).isEqualTo(ManualClock.NOW.plusMillis(200));
				assertThat(task.period()).isEqualTo(Duration.ofSeconds(7));
			}));
	}

	@Test
	void withoutASchedulerTheHealthIsCheckedOnAThreadOfOurs() {
		this.db.status = "DOWN";
		TestApplications.runner()
			.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class))
			.withBean(GreeterService.class)
			.withBean("db", HealthIndicator.class, () -> this.db)
			.withPropertyValues("grpc.server.health.schedule.period=1ms", "grpc.server.health.schedule.delay=0")
			.run((context) -> {
				Awaitility.await().until(() -> status(context, HealthWatch.SERVER) == ServingStatus.NOT_SERVING);
				this.db.status = "UP";
				Awaitility.await().until(() -> status(context, HealthWatch.SERVER) == ServingStatus.SERVING);
			});
	}

	@Test
	void withoutAScheduleTheApplicationChecksItself() {
		this.db.status = "DOWN";
		this.runner.withPropertyValues("grpc.server.health.schedule.enabled=false").run((context) -> {
			assertThat(this.clock.tasks()).isEmpty();
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			context.getBean(ManagedServerHealth.class).update();
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
		});
	}

	@Test
	void aServiceFollowsTheContributorsThatItIncludes() {
		this.runner
			.withPropertyValues("grpc.server.health.service.storage.include=disk",
					"grpc.server.health.service[test.v1.Greeter].exclude=disk")
			.run((context) -> {
				assertThat(status(context, "storage")).isEqualTo(ServingStatus.UNKNOWN);
				this.disk.status = "DOWN";
				check(context);
				assertThat(status(context, "storage")).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(status(context, GREETER)).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			});
	}

	@Test
	void aServiceThatNobodyHasNamedIsUnknown() {
		this.runner.run((context) -> {
			assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> status(context, "storage"))
				.satisfies((ex) -> assertThat(ex.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
			try (GreeterClient client = GreeterClient.of(context)) {
				await(HealthWatch.of(client.channel(), "storage"), ServingStatus.SERVICE_UNKNOWN);
			}
		});
	}

	@Test
	void partsOfAContributorAreNamedByTheirPath() {
		Contributor first = new Contributor();
		Contributor second = new Contributor();
		this.runner
			.withBean("stores", CompositeHealthContributor.class,
					() -> CompositeHealthContributor.fromMap(Map.of("first", first, "second", second)))
			.withPropertyValues("grpc.server.health.service.one.include=stores/first",
					"grpc.server.health.service.all.include=stores")
			.run((context) -> {
				second.status = "DOWN";
				check(context);
				assertThat(status(context, "one")).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, "all")).isEqualTo(ServingStatus.NOT_SERVING);
			});
	}

	@Test
	void reactiveContributorsCountToo() {
		this.runner
			.withBean("remote", ReactiveHealthIndicator.class,
					() -> () -> Mono.just(Health.down().build()).delayElement(Duration.ofMillis(1)))
			.withPropertyValues("grpc.server.health.service.upstream.include=remote")
			.run((context) -> {
				check(context);
				assertThat(status(context, "upstream")).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			});
	}

	@Test
	void statusesAreMappedAndOrderedAsThePropertiesSay() {
		this.runner
			.withPropertyValues("grpc.server.health.status.order=degraded,up",
					"grpc.server.health.status.mapping.degraded=not-serving",
					"grpc.server.health.service.storage.include=disk",
					"grpc.server.health.service.storage.status.order=up,degraded",
					"grpc.server.health.service.lenient.include=db",
					"grpc.server.health.service.lenient.status.mapping.de-graded=serving")
			.run((context) -> {
				this.db.status = "DEGRADED";
				check(context);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(status(context, "storage")).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, "lenient")).isEqualTo(ServingStatus.SERVING);
			});
	}

	@Test
	void eachContributorIsAskedOnceACheckAndOnlyIfItCounts() {
		this.runner
			.withPropertyValues("grpc.server.health.service.a.include=db", "grpc.server.health.service.b.include=db",
					"grpc.server.health.include-overall-health=false")
			.run((context) -> {
				check(context);
				assertThat(this.db.asked).hasValue(1);
				assertThat(this.disk.asked).hasValue(0);
			});
	}

	@Test
	void theServerAsAWholeCanBeLeftToTheApplication() {
		this.db.status = "DOWN";
		this.runner
			.withPropertyValues("grpc.server.health.include-overall-health=false",
					"grpc.server.health.service.data.include=db")
			.run((context) -> {
				check(context);
				assertThat(status(context, "data")).isEqualTo(ServingStatus.NOT_SERVING);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, GREETER)).isEqualTo(ServingStatus.SERVING);
			});
	}

	@Test
	void theServersOwnContributorDoesNotCount() {
		Contributor self = new Contributor();
		self.status = "DOWN";
		this.runner.withBean("grpcServer", HealthIndicator.class, () -> self).run((context) -> {
			check(context);
			assertThat(self.asked).hasValue(0);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
		});
	}

	@Test
	void withoutAnyContributorTheServerIsServing() {
		TestApplications.runner()
			.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class))
			.withBean(GreeterService.class)
			.run((context) -> {
				context.getBean(ManagedServerHealth.class).update();
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			});
	}

	@Test
	void whatTheApplicationSetsIsLeftAlone() {
		this.runner.run((context) -> {
			context.getBean(HealthStatusManager.class).setStatus(GREETER, ServingStatus.NOT_SERVING);
			this.db.status = "DOWN";
			check(context);
			this.db.status = "UP";
			check(context);
			assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
			assertThat(status(context, GREETER)).isEqualTo(ServingStatus.NOT_SERVING);
		});
	}

	@Test
	void aContributorThatIsNotThereStopsTheStart() {
		this.runner.withPropertyValues("grpc.server.health.service.storage.include=disc")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'disc'")
				.hasMessageContaining("grpc.server.health.service.storage.include"));
	}

	@Test
	void aContributorThatIsNotThereCanBeAllowed() {
		this.runner
			.withPropertyValues("grpc.server.health.service.storage.include=disc",
					"grpc.server.health.services.validate-membership=false")
			.run((context) -> {
				check(context);
				assertThat(status(context, "storage")).isEqualTo(ServingStatus.UNKNOWN);
			});
	}

	@Test
	void healthGroupsOfActuatorMakeNoDifference() {
		this.runner.withConfiguration(AutoConfigurations.of(HealthEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=health",
					"management.endpoint.health.group.storage.include=disk",
					"management.endpoint.health.group.storage.status.order=up,down")
			.run((context) -> {
				this.disk.status = "DOWN";
				check(context);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.NOT_SERVING);
			});
	}

	@Test
	void theServerIsServingWithoutSpringBootsHealth() {
		TestApplications.runner()
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health", "reactor"))
			.withBean(GreeterService.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(HealthCheck.class);
				assertThat(status(context, HealthWatch.SERVER)).isEqualTo(ServingStatus.SERVING);
				assertThat(status(context, GREETER)).isEqualTo(ServingStatus.SERVING);
			});
	}

	private static void check(ApplicationContext context) {
		context.getBean(ManagedServerHealth.class).update();
	}

	private static ServingStatus status(ApplicationContext context, String service) {
		try (GreeterClient client = GreeterClient.of(context)) {
			return HealthWatch.check(client.channel(), service);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(HealthWatch watch, ServingStatus... statuses) {
		Awaitility.await().untilAsserted(() -> assertThat(watch.statuses()).containsExactly(statuses));
	}

	/** A contributor whose status the test sets. */
	static final class Contributor implements HealthIndicator {

		final AtomicInteger asked = new AtomicInteger();

		volatile String status = "UP";

		@Override
		public Health health() {
			this.asked.incrementAndGet();
			return Health.status(this.status).build();
		}

	}

}
